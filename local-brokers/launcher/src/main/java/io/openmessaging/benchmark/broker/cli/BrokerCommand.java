package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;

/**
 * The program behind {@code bin/broker}, which tells the home folder in the system property {@code benchmark.home}. Exit
 * codes: 0 done, 1 not running or failed, 2 wrong arguments.
 */
@Command(
        name = "bin/broker",
        description = "Starts, stops and shows real brokers on this machine.",
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:done", "1:not running, or failed", "2:wrong arguments"})
public final class BrokerCommand {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Shows this help.")
    @SuppressWarnings("unused") // picocli acts on the option by itself
    private boolean help;

    private BrokerCommand() {}

    /** Runs one command and exits with its code. */
    public static void main(String[] arguments) {
        Path home = Path.of(System.getProperty("benchmark.home", "."));
        List<LocalBroker> brokers = ServiceLoader.load(LocalBroker.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        System.exit(commandLine(home, brokers, StopCommand.USUAL_GRACE).execute(arguments));
    }

    /**
     * The command line.
     *
     * @param home the project's home folder
     * @param brokers those that can be started
     * @param stopGrace how long a node may take to end before it is killed
     */
    static CommandLine commandLine(Path home, List<LocalBroker> brokers, Duration stopGrace) {
        return new CommandLine(new BrokerCommand())
                .addSubcommand("start", new StartCommand(home))
                .addSubcommand("stop", new StopCommand(home, stopGrace))
                .addSubcommand("status", new StatusCommand(home))
                .addSubcommand("logs", new LogsCommand(home))
                .registerConverter(LocalBroker.class, name -> named(name, brokers))
                .setParameterExceptionHandler((failure, arguments) -> {
                    say(failure.getCommandLine(), failure.getMessage());
                    return CommandLine.ExitCode.USAGE;
                })
                .setExecutionExceptionHandler((failure, command, arguments) -> {
                    // What the user can do something about has a sentence of its own; the rest at least keeps its kind.
                    boolean worded = failure instanceof LocalBrokerException || failure instanceof UncheckedIOException;
                    say(command, worded ? failure.getMessage() : failure.toString());
                    return CommandLine.ExitCode.SOFTWARE;
                });
    }

    private static void say(CommandLine command, @Nullable String failure) {
        command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + failure);
    }

    private static LocalBroker named(String name, List<LocalBroker> brokers) {
        return brokers.stream()
                .filter(broker -> broker.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("no broker is called '" + name + "'; there is "
                        + brokers.stream().map(LocalBroker::name).sorted().collect(Collectors.joining(", "))));
    }
}
