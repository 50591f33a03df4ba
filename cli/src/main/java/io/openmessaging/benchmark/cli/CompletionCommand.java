package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.cli.process.Installation;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code bin/benchmark completion}. */
@Command(
        name = CompletionCommand.NAME,
        mixinStandardHelpOptions = true,
        versionProvider = Installation.BuildVersion.class,
        usageHelpAutoWidth = true,
        description = "Prints a script that lets bash and zsh complete options and subcommands.",
        footer = {"", "  source <(bin/benchmark completion)"})
final class CompletionCommand implements Callable<Integer> {

    static final String NAME = "completion";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private final Supplier<CommandLine> whole;

    /** Creates the command; {@code whole} supplies the command with all of its subcommands. */
    CompletionCommand(Supplier<CommandLine> whole) {
        this.whole = whole;
    }

    @Override
    public Integer call() {
        spec.commandLine().getOut().print(AutoComplete.bash("benchmark", whole.get()));
        spec.commandLine().getOut().flush();
        return ExitCode.OK;
    }
}
