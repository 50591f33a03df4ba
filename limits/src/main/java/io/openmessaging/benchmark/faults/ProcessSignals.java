package io.openmessaging.benchmark.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Sends signals to a process, and to all its descendants if it leads a process group. */
public final class ProcessSignals {

    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    private static final int POLL_MS = 5;

    /** Signals by their POSIX names. */
    public enum Signal {
        KILL,
        STOP,
        CONT
    }

    private ProcessSignals() {}

    /**
     * Sends a signal.
     *
     * @param name of the process, for the error
     * @throws IOException with a sentence if it cannot be sent
     */
    public static void send(String name, long pid, Signal signal) throws IOException, InterruptedException {
        String group = "kill -s " + signal + " -- -" + pid + " 2>/dev/null || kill -s " + signal + " " + pid;
        if (new ProcessBuilder("/bin/sh", "-c", group).start().waitFor() != 0) {
            throw new IOException(
                    "cannot send SIG" + signal + " to " + name + " (pid " + pid + "): does it belong to another user?");
        }
    }

    /**
     * Pauses a process; returns once it has stopped: the system stops its threads one by one. Returns at once where the
     * system does not report the state; Linux does.
     *
     * @param name of the process, for the error
     * @throws IOException with a sentence if the signal cannot be sent, or the process has not stopped after ten
     *     seconds
     */
    public static void pause(String name, long pid) throws IOException, InterruptedException {
        send(name, pid, Signal.STOP);
        long deadlineNs = System.nanoTime() + STOP_LIMIT.toNanos();
        while (Files.exists(stat(pid)) && !isPaused(pid)) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IOException(
                        name + " (pid " + pid + ") is still running " + STOP_LIMIT.toSeconds() + " s after SIGSTOP");
            }
            Thread.sleep(POLL_MS);
        }
    }

    /** Returns whether a process is paused; false where the system does not report it. */
    public static boolean isPaused(long pid) {
        try {
            String stat = Files.readString(stat(pid));
            // The state follows the name, which is in parentheses and may contain anything.
            return stat.startsWith(" T", stat.lastIndexOf(')') + 1);
        } catch (IOException e) {
            // Not Linux, or the process has just ended.
            return false;
        }
    }

    private static Path stat(long pid) {
        return Path.of("/proc", Long.toString(pid), "stat");
    }
}
