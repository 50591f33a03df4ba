package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.launch.NodeSignals;
import io.openmessaging.benchmark.faults.ProcessSignals;
import io.openmessaging.benchmark.faults.ProcessSignals.Signal;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A process of a broker that an earlier call started.
 *
 * @param name such as {@code kafka-1}
 * @param pid its process id
 * @param startedAtMs its start time as reported by the system, in ms: the process id alone may belong to another
 *     process by now
 * @param log the file that receives its output
 * @param launch the command that restarts it
 */
record RecordedNode(String name, long pid, long startedAtMs, Path log, RunningBroker.Launch launch) {

    static final String ENDED = "ended";

    static final String PAUSED = "paused";

    /** Linux derives the start time from the boot time, which moves a little when the clock is adjusted. */
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
     * Restarts the node on the data left in its folder; it outlives this process.
     *
     * @throws LocalBrokerException if it runs, or cannot be started
     */
    RecordedNode startAgain() throws LocalBrokerException {
        if (runs()) {
            throw new LocalBrokerException(name + " is already running as pid " + pid);
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
     * Sends a signal to the node and to all processes that it started.
     *
     * @throws LocalBrokerException if it cannot be sent
     */
    void signal(Signal signal) throws LocalBrokerException, InterruptedException {
        NodeSignals.send(name, pid, signal);
    }

    /**
     * Pauses the node, and returns when it has stopped.
     *
     * @throws LocalBrokerException if the signal cannot be sent, or it has not stopped after ten seconds
     */
    void pause() throws LocalBrokerException, InterruptedException {
        NodeSignals.pause(name, pid);
    }

    /** Returns its state in one word: running, paused or ended. */
    String state() {
        if (!runs()) {
            return ENDED;
        }
        return ProcessSignals.isPaused(pid) ? PAUSED : "running";
    }

    String describe(String state) {
        return "  " + name + "  pid " + pid + "  " + state + "log " + log;
    }

    boolean runs() {
        return process().isPresent();
    }

    /**
     * Returns the process if it runs and is the recorded one. A process that has ended but whose exit code nobody has
     * collected is still listed, without a command.
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
