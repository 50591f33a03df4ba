package io.openmessaging.benchmark.cli.fault;

import io.openmessaging.benchmark.config.Fault;
import io.openmessaging.benchmark.program.ProgramRun;
import io.openmessaging.benchmark.run.FaultMeans.Begun;
import io.openmessaging.benchmark.run.FaultMeans.FaultException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A fault caused by a user's command. The undo command is ready before the fault starts, in a shell that waits at the
 * end of a pipe: if this process dies, the pipe ends and the shell runs it.
 */
final class CommandFault implements Begun {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int MOST_LINES = 20;

    /** The shell runs the command after a line, and also at the end of the pipe. */
    private static final String GUARD = "read -r line; exec /bin/sh -c \"$1\"";

    private final Fault fault;
    private final Process guard;
    private final Path printedByUndo;
    private final List<String> output = new ArrayList<>();

    private CommandFault(Fault fault, Process guard, Path printedByUndo) {
        this.fault = fault;
        this.guard = guard;
        this.printedByUndo = printedByUndo;
    }

    /** Runs the command; returns when it has ended. */
    static CommandFault begin(Fault fault) throws FaultException, InterruptedException {
        try {
            Path printedByUndo = Files.createTempFile("fault-undo", ".log");
            String undo = Objects.requireNonNull(fault.undo(), "checked when the workload was read");
            Process guard = new ProcessBuilder("setsid", "/bin/sh", "-c", GUARD, "undo", undo)
                    .redirectErrorStream(true)
                    .redirectOutput(printedByUndo.toFile())
                    .start();
            CommandFault begun = new CommandFault(fault, guard, printedByUndo);
            try {
                begun.run();
            } catch (InterruptedException e) {
                begun.undo();
                throw e;
            }
            return begun;
        } catch (IOException e) {
            throw new FaultException("the command cannot be run: " + e.getMessage(), e);
        }
    }

    private void run() throws FaultException, InterruptedException, IOException {
        ProgramRun run = ProgramRun.of(new ProcessBuilder("/bin/sh", "-c", fault.target()), "", LIMIT);
        run.output().stream().limit(MOST_LINES).forEach(output::add);
        if (!run.succeeded()) {
            undo();
            throw new FaultException(failure("run", run.exitCode().orElse(-1)));
        }
    }

    private String failure(String which, int exitCode) {
        return which
                + (exitCode < 0 ? " has not ended within " + LIMIT.toSeconds() + " s" : " ended with " + exitCode)
                + (output.isEmpty() ? "" : ": " + output.get(output.size() - 1));
    }

    @Override
    public String what() {
        return "ran " + fault.target();
    }

    @Override
    public List<String> output() {
        return output;
    }

    @Override
    public void undo() throws FaultException, InterruptedException {
        try {
            try (OutputStream pipe = guard.getOutputStream()) {
                pipe.write("undo\n".getBytes(StandardCharsets.US_ASCII));
            }
            boolean ended = guard.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
            try (Stream<String> lines = Files.lines(printedByUndo, StandardCharsets.ISO_8859_1)) {
                lines.limit(MOST_LINES).forEach(output::add);
            }
            if (!ended || guard.exitValue() != 0) {
                throw new FaultException(failure("undo", ended ? guard.exitValue() : -1));
            }
        } catch (IOException e) {
            throw new FaultException("undo cannot be run: " + e.getMessage(), e);
        } finally {
            printedByUndo.toFile().delete();
        }
    }
}
