package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.limits.LimitGroup;
import io.openmessaging.benchmark.limits.ProcessLimit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One running process of a broker.
 *
 * <p>The command is expected to guard itself: when its standard input, a pipe held by this JVM and no other process,
 * ends, the command ends too and removes the broker's folder; a byte on it releases the command from that. For the JVM
 * this is what {@link io.openmessaging.benchmark.broker.guard.NodeGuard} does, for other programs the script of {@link
 * NativeNode}.
 */
final class NodeProcess {

    /**
     * Runs a command in a session of its own where the system can do that, and deaf to Ctrl-C and the closing of the
     * terminal in any case: the harness decides in its own time when its broker ends.
     */
    private static final String DETACH =
            "trap '' HUP INT; command -v setsid >/dev/null && exec setsid \"$@\"; exec \"$@\"";

    /** Would change the broker's JVM behind the back of the settings that are kept with a result. */
    private static final Set<String> JVM_VARIABLES =
            Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH");

    private static final int POLL_MS = 5;

    private final String name;
    private final Path log;
    private final Duration endLimit;
    private final Process process;
    private final Optional<LimitGroup> limits;

    /** What the process had started itself when its end began. */
    private List<ProcessHandle> helpers = List.of();

    private NodeProcess(String name, Path log, Duration endLimit, Process process, Optional<LimitGroup> limits) {
        this.name = name;
        this.log = log;
        this.endLimit = endLimit;
        this.process = process;
        this.limits = limits;
    }

    /** Starts a node within its limits, with an exporter if {@link JmxExporter#arguments} are given. */
    static NodeProcess start(
            JvmNode node, Path folder, Path brokerFolder, List<String> exporter, Confinement confinement)
            throws LocalBrokerException {
        ProcessBuilder builder =
                new ProcessBuilder(detached(node.name(), node.command(folder, brokerFolder, exporter)));
        builder.environment().keySet().removeAll(JVM_VARIABLES);
        return start(node.name(), builder, folder, Duration.ZERO, confinement);
    }

    static NodeProcess start(NativeNode node, Path folder, Path brokerFolder, Confinement confinement)
            throws LocalBrokerException {
        ProcessBuilder builder = new ProcessBuilder(detached(node.name(), node.guardedCommand(brokerFolder)));
        builder.environment().keySet().removeAll(node.removedVariables());
        builder.environment().putAll(node.environment());
        return start(node.name(), builder, folder, node.endLimit(), confinement);
    }

    private static List<String> detached(String name, List<String> command) {
        List<String> detached = new ArrayList<>(List.of("/bin/sh", "-c", DETACH, name));
        detached.addAll(command);
        return detached;
    }

    private static NodeProcess start(
            String name, ProcessBuilder builder, Path folder, Duration endLimit, Confinement confinement)
            throws LocalBrokerException {
        Optional<LimitGroup> limits = limits(name, confinement);
        limits.ifPresent(group -> builder.command(group.command(builder.command())));
        Path log = folder.resolve(name + ".log");
        builder.directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        try {
            return new NodeProcess(name, log, endLimit, builder.start(), limits);
        } catch (IOException e) {
            limits.ifPresent(LimitGroup::close);
            throw new LocalBrokerException("cannot start a process for " + name + ": " + e.getMessage(), e);
        }
    }

    private static Optional<LimitGroup> limits(String name, Confinement confinement) throws LocalBrokerException {
        try {
            return confinement.open(name);
        } catch (IOException e) {
            throw new LocalBrokerException("cannot limit what " + name + " may use: " + e.getMessage(), e);
        }
    }

    /** What keeps it to its limits; empty if it has none. */
    Optional<LimitGroup> limits() {
        return limits;
    }

    RunningBroker.Node describe() {
        return new RunningBroker.Node(name, process.pid(), log);
    }

    /** Says how it ended, with the end of its log; empty while it runs. */
    Optional<String> failure() {
        if (process.isAlive()) {
            return Optional.empty();
        }
        return Optional.of(name + " (pid " + process.pid() + ") ended by itself with exit code " + process.exitValue()
                + killedForMemory() + "; its log says:\n" + LogEnd.cause(log));
    }

    private String killedForMemory() {
        return limits.filter(LimitGroup::killedForMemory)
                .map(LimitGroup::limit)
                .map(ProcessLimit::memoryBytes)
                .map(bytes -> ", killed by the kernel at its limit of " + ProcessLimit.memoryText(bytes) + " of memory")
                .orElse("");
    }

    /** Lets it live on when this JVM ends. */
    void release() throws LocalBrokerException {
        try (var guard = process.getOutputStream()) {
            guard.write('\n');
            if (limits.isPresent()) {
                limits.get().release();
            }
        } catch (IOException e) {
            throw new LocalBrokerException("cannot detach " + name + ": " + e.getMessage(), e);
        }
    }

    /** How long it may take to end after {@link #terminate}; zero if it is to be killed at once. */
    Duration endLimit() {
        return endLimit;
    }

    /**
     * Asks it to end, unless it is one to be killed at once. By way of the handle: the process itself would close the
     * pipe as well, and the guard would think that the starter is gone.
     */
    void terminate() {
        helpers = process.descendants().toList();
        if (!endLimit.isZero()) {
            process.toHandle().destroy();
        }
    }

    /** Ends it with its helpers, whatever they are doing. */
    void kill() {
        process.toHandle().destroyForcibly();
        helpers.forEach(ProcessHandle::destroyForcibly);
    }

    /** Whether it has ended before the limit, and with it its helpers. */
    boolean awaitEnd(Duration limit) throws InterruptedException {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        // Helpers are no children of this JVM, which the system would tell of their end.
        while (helpers.stream().anyMatch(NodeProcess::runs)) {
            if (System.nanoTime() - deadlineNs > 0) {
                return false;
            }
            Thread.sleep(POLL_MS);
        }
        return true;
    }

    /** A process that has ended but whose parent has not asked for its exit code is still listed, without a command. */
    private static boolean runs(ProcessHandle process) {
        return process.isAlive() && process.info().command().isPresent();
    }
}
