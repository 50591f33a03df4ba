package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A process of a broker started earlier.
 *
 * @param name such as {@code kafka-1}
 * @param pid its process id
 * @param startedAtMs when it started, as the system tells it: a process id alone may belong to another process by now
 * @param log the file its output goes to
 * @param launch what starts it again
 */
record RecordedNode(String name, long pid, long startedAtMs, Path log, RunningBroker.Launch launch) {

    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    private static final int POLL_MS = 5;

    static final String ENDED = "ended";

    static final String PAUSED = "paused";

    /** Linux derives the time from that of the boot, which moves a little when the clock is adjusted. */
    private static final Duration START_TOLERANCE = Duration.ofSeconds(2);

    static RecordedNode of(RunningBroker.Node node) {
        return new RecordedNode(node.name(), node.pid(), startedAtMs(node.pid()), node.log(), node.launch());
    }

    private static long startedAtMs(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().startInstant())
                .orElseGet(Instant::now)
                .toEpochMilli();
    }

    /**
     * Starts it once more, on what it has left in its folder, to outlive this process.
     *
     * @throws LocalBrokerException if it runs, or cannot be started
     */
    RecordedNode startAgain() throws LocalBrokerException {
        if (runs()) {
            throw new LocalBrokerException(name + " runs already, as pid " + pid);
        }
        try {
            Process process = launch.start(log);
            try (OutputStream guard = process.getOutputStream()) {
                guard.write('\n');
            }
            return new RecordedNode(name, process.pid(), startedAtMs(process.pid()), log, launch);
        } catch (IOException e) {
            throw new LocalBrokerException("cannot start " + name + ": " + e.getMessage(), e);
        }
    }

    /**
     * Sends a signal to it and to all that it has started.
     *
     * @throws LocalBrokerException if it cannot be sent
     */
    void signal(Signal signal) throws LocalBrokerException, InterruptedException {
        String group = "kill -s " + signal + " -- -" + pid + " 2>/dev/null || kill -s " + signal + " " + pid;
        try {
            if (new ProcessBuilder("/bin/sh", "-c", group).start().waitFor() != 0) {
                throw new LocalBrokerException(
                        "cannot send SIG" + signal + " to " + name + " (pid " + pid + "): is it another user's?");
            }
        } catch (IOException e) {
            throw new LocalBrokerException("cannot send SIG" + signal + " to " + name + ": " + e.getMessage(), e);
        }
    }

    /**
     * Lets it stand still, and returns when it does: the system stops its threads one by one, when it gets to them. Where
     * the system does not tell, which Linux does, returns at once.
     *
     * @throws LocalBrokerException if it cannot be told to, or goes on for ten seconds
     */
    void pause() throws LocalBrokerException, InterruptedException {
        signal(Signal.STOP);
        long deadlineNs = System.nanoTime() + STOP_LIMIT.toNanos();
        while (Files.exists(stat()) && !state().equals(PAUSED)) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new LocalBrokerException(name + " (pid " + pid + ") still does not stand still "
                        + STOP_LIMIT.toSeconds() + " s after SIGSTOP");
            }
            Thread.sleep(POLL_MS);
        }
    }

    private Path stat() {
        return Path.of("/proc", Long.toString(pid), "stat");
    }

    /** What can be sent, by the names of POSIX. */
    enum Signal {
        KILL,
        STOP,
        CONT
    }

    /** What it is doing, in a word: running, paused, ended. */
    String state() {
        if (!runs()) {
            return ENDED;
        }
        try {
            String stat = Files.readString(stat());
            // Behind the name, which is in parentheses and may contain anything.
            return stat.startsWith(" T", stat.lastIndexOf(')') + 1) ? PAUSED : "running";
        } catch (IOException e) {
            // No Linux, or it has just ended.
            return "running";
        }
    }

    /** A line for the user. */
    String describe(String state) {
        return "  " + name + "  pid " + pid + "  " + state + "log " + log;
    }

    boolean runs() {
        return process().isPresent();
    }

    /**
     * The process, if it runs and is the one that was recorded. A process that has ended but that nobody has asked for its
     * exit code is still listed, without a command.
     */
    Optional<ProcessHandle> process() {
        return ProcessHandle.of(pid)
                .filter(process -> process.isAlive() && process.info().command().isPresent())
                .filter(process -> process.info()
                        .startInstant()
                        .filter(start -> Math.abs(start.toEpochMilli() - startedAtMs) <= START_TOLERANCE.toMillis())
                        .isPresent());
    }
}
