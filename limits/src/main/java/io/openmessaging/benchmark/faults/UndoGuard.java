package io.openmessaging.benchmark.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes a fault back if this JVM ends before it could, were it by {@code kill -9}: a shell that reads from a pipe whose
 * other end only this JVM holds, and that was there before the fault. A line tells it that there is nothing to be done.
 */
public final class UndoGuard {

    /** Tries for 5 s: a rule may be busy. What is not there any more has been taken back. */
    private static final String SCRIPT = """
            trap '' HUP INT TERM
            cd /
            read -r line && exit
            n=0
            until "$@" || [ $n -ge 25 ]; do n=$((n + 1)); sleep 0.2; done
            """;

    private final Process process;

    private UndoGuard(Process process) {
        this.process = process;
    }

    /**
     * Waits with a command.
     *
     * @throws IOException if no shell can be started
     */
    public static UndoGuard of(List<String> undo) throws IOException {
        List<String> command = new ArrayList<>(List.of("setsid", "/bin/sh", "-c", SCRIPT, "undo-fault"));
        command.addAll(undo);
        return new UndoGuard(new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** There is nothing to be done any more. */
    public void release() {
        try (var pipe = process.getOutputStream()) {
            pipe.write('\n');
        } catch (IOException e) {
            // It has been killed, and does nothing more either way.
        }
    }
}
