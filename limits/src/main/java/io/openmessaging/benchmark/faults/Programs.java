package io.openmessaging.benchmark.faults;

import io.openmessaging.benchmark.program.ProgramPath;
import io.openmessaging.benchmark.program.ProgramRun;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Runs programs of the system. */
final class Programs {

    /** Each program run here ends at once, unless the machine is overloaded. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private Programs() {}

    /**
     * Returns the path of a program.
     *
     * @param source the package that contains it
     * @throws IOException with a sentence if it is not installed
     */
    static String require(String name, String source) throws IOException {
        return ProgramPath.ofThisMachine()
                .find(name)
                .orElseThrow(() -> new IOException("there is no program " + name + " (package " + source + ")"))
                .toString();
    }

    /**
     * Runs a program and returns its output.
     *
     * @param input its standard input
     * @throws IOException with the first line of its output if the exit code is not 0, or if it does not end within 20
     *     s
     */
    static String run(List<String> command, String input) throws IOException, InterruptedException {
        ProgramRun run = ProgramRun.of(new ProcessBuilder(command), input, LIMIT);
        if (!run.succeeded()) {
            throw new IOException(command.get(0) + ": "
                    + (run.exitCode().isPresent()
                            ? firstLine(run.output())
                            : "has not ended within " + LIMIT.toSeconds() + " s"));
        }
        return String.join("\n", run.output());
    }

    private static String firstLine(List<String> output) {
        return output.stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse("ended without any output");
    }
}
