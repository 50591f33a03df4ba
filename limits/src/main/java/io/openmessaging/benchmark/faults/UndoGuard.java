package io.openmessaging.benchmark.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Undoes a fault if this JVM ends before it could, even by {@code kill -9}. It is a shell, started before the fault,
 * that reads from a pipe whose other end only this JVM holds. A line tells it that there is nothing left to undo.
 */
public final class UndoGuard {

    /** Tries for 5 s, since a rule may be busy. If the target no longer exists, it has been undone already. */
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
     * Starts a guard with the command that undoes the fault.
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

    /** Tells the guard that there is nothing left to undo. */
    public void release() {
        try (var pipe = process.getOutputStream()) {
            pipe.write('\n');
        } catch (IOException e) {
            // The guard was killed, and does nothing either way.
        }
    }
}
