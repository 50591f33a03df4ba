package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.cli.process.UserException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Unmatched;

/**
 * A command that the start script hands over to another script before it starts a JVM. It is known here so that shells
 * complete its name and a misspelt one is corrected.
 */
@Command
final class ScriptCommand implements Callable<Integer> {

    private final String script;

    @Parameters(paramLabel = "ARGUMENT")
    @SuppressWarnings("unused") // lets shells complete file names
    private List<Path> arguments = List.of();

    @Unmatched
    @SuppressWarnings("unused") // set by picocli
    private final List<String> options = new ArrayList<>();

    /** Creates a command for a script. */
    ScriptCommand(String script) {
        this.script = script;
    }

    @Override
    public Integer call() throws UserException {
        throw new UserException(
                "benchmark: this command is " + script + ", which bin/benchmark starts instead of Java");
    }
}
