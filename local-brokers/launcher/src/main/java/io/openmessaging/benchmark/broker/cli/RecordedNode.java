package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.RunningBroker;
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
 */
record RecordedNode(String name, long pid, long startedAtMs, Path log) {

    /** Linux derives the time from that of the boot, which moves a little when the clock is adjusted. */
    private static final Duration START_TOLERANCE = Duration.ofSeconds(2);

    static RecordedNode of(RunningBroker.Node node) {
        long startedAtMs = ProcessHandle.of(node.pid())
                .flatMap(process -> process.info().startInstant())
                .orElseGet(Instant::now)
                .toEpochMilli();
        return new RecordedNode(node.name(), node.pid(), startedAtMs, node.log());
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
