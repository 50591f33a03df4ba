package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.faults.OwnDisk;
import io.openmessaging.benchmark.faults.Separation;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.limits.LimitGroup;
import io.openmessaging.benchmark.limits.ProcessLimit;
import io.openmessaging.benchmark.limits.SocketGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** One running process of a broker. */
final class NodeProcess {

    private static final int POLL_MS = 5;

    private final NativeNode node;
    private final NodeFolders place;
    private final RunningBroker.Launch launch;
    private final Process process;
    private final Surroundings surroundings;

    /** The processes that this one had started when its end was requested. */
    private volatile List<ProcessHandle> helpers = List.of();

    private volatile boolean endIsWanted;

    private NodeProcess(
            NativeNode node,
            NodeFolders place,
            RunningBroker.Launch launch,
            Process process,
            Surroundings surroundings) {
        this.node = node;
        this.place = place;
        this.launch = launch;
        this.process = process;
        this.surroundings = surroundings;
    }

    /**
     * Where a node runs.
     *
     * @param folder the node's own folder, which also holds its log
     * @param brokerFolder the folder to remove if this JVM ends before the node
     * @param replaceable true if other nodes of its kind can continue without it
     */
    record NodeFolders(Path folder, Path brokerFolder, boolean replaceable) {}

    /**
     * Parts of a node that outlast its restarts.
     *
     * @param limits the group that keeps it within its limits; empty if it has none
     * @param sockets the group that identifies its connections; empty if not needed
     * @param disk its own disk; empty if it has none
     */
    record Surroundings(Optional<LimitGroup> limits, Optional<SocketGroup> sockets, Optional<OwnDisk> disk) {

        /** Creates them for a node that is about to start. */
        static Surroundings of(String name, NodeFolders place, Confinement confinement, Separation separation)
                throws LocalBrokerException {
            Optional<LimitGroup> limits = NodeProcess.limits(name, confinement);
            Optional<SocketGroup> sockets = Optional.empty();
            try {
                if (separation.sockets()) {
                    sockets = Optional.of(SocketGroup.open(name, limits));
                }
                Optional<OwnDisk> disk = Optional.empty();
                if (separation.diskBytes() > 0 && place.replaceable()) {
                    Path data = place.folder().resolve(BrokerLaunch.DATA);
                    Path image = place.brokerFolder().toAbsolutePath().resolve(name + ".disk");
                    disk = Optional.of(OwnDisk.of(data, image, separation.diskBytes()));
                }
                return new Surroundings(limits, sockets, disk);
            } catch (IOException e) {
                new Surroundings(limits, sockets, Optional.empty()).close();
                throw new LocalBrokerException(name + " cannot be prepared for faults: " + e.getMessage(), e);
            }
        }

        private List<String> command(NativeNode node, Path brokerFolder) {
            List<String> onDisk = disk.map(own -> own.command(node.command())).orElse(node.command());
            List<String> command = node.guarded(onDisk, brokerFolder);
            List<String> limited = limits.map(group -> group.command(command)).orElse(command);
            return sockets.map(group -> group.command(limited)).orElse(limited);
        }

        void close() {
            sockets.ifPresent(SocketGroup::close);
            limits.ifPresent(LimitGroup::close);
        }
    }

    /** Starts a node; closes its surroundings if that fails. */
    static NodeProcess startFirst(NativeNode node, NodeFolders place, Surroundings surroundings)
            throws LocalBrokerException {
        try {
            return start(node, place, surroundings);
        } catch (LocalBrokerException e) {
            surroundings.close();
            throw e;
        }
    }

    /** Restarts a node that has ended, within the same limits and on the data left in its folder. */
    NodeProcess startAgain() throws LocalBrokerException {
        return start(node, place, surroundings);
    }

    private static NodeProcess start(NativeNode node, NodeFolders place, Surroundings surroundings)
            throws LocalBrokerException {
        RunningBroker.Launch launch = new RunningBroker.Launch(
                surroundings.command(node, place.brokerFolder()),
                node.environment(),
                node.removedVariables(),
                place.folder());
        try {
            return new NodeProcess(node, place, launch, launch.start(log(node, place)), surroundings);
        } catch (IOException e) {
            throw new LocalBrokerException("cannot start a process for " + node.name() + ": " + e.getMessage(), e);
        }
    }

    private static Path log(NativeNode node, NodeFolders place) {
        return place.folder().resolve(node.name() + ".log");
    }

    private static Optional<LimitGroup> limits(String name, Confinement confinement) throws LocalBrokerException {
        try {
            return confinement.open(name);
        } catch (IOException e) {
            throw new LocalBrokerException("cannot limit what " + name + " may use: " + e.getMessage(), e);
        }
    }

    Surroundings surroundings() {
        return surroundings;
    }

    RunningBroker.Node describe() {
        return new RunningBroker.Node(node.name(), process.pid(), log(node, place), launch);
    }

    /** Returns whether other nodes of its kind can continue without it. */
    boolean isReplaceable() {
        return place.replaceable();
    }

    boolean runs() {
        return process.isAlive();
    }

    /**
     * Describes how the process ended by itself, with the end of its log; empty while it runs, or if its end was
     * intended.
     */
    Optional<String> failure() {
        return ending().map(sentence -> sentence + "; its log says:\n" + LogEnd.cause(log(node, place)));
    }

    /** Does the same as {@link #failure} without the log. */
    Optional<String> ending() {
        return endIsWanted || process.isAlive()
                ? Optional.empty()
                : Optional.of(node.name() + " (pid " + process.pid() + ") exited unexpectedly with exit code "
                        + process.exitValue() + killedForMemory());
    }

    private String killedForMemory() {
        return surroundings
                .limits()
                .filter(LimitGroup::killedForMemory)
                .map(LimitGroup::limit)
                .map(ProcessLimit::memoryBytes)
                .map(bytes -> ", killed by the kernel at its limit of " + ProcessLimit.memoryText(bytes) + " of memory")
                .orElse("");
    }

    /** Lets the process outlive this JVM. */
    void release() throws LocalBrokerException {
        try (var guard = process.getOutputStream()) {
            guard.write('\n');
            if (surroundings.limits().isPresent()) {
                surroundings.limits().get().release();
            }
        } catch (IOException e) {
            throw new LocalBrokerException("cannot detach " + node.name() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Requests the end, unless the process is to be killed at once. Signals by the process handle: {@link
     * Process#destroy} would also close the pipe, and the guard would conclude that the starter is gone.
     */
    void terminate() {
        wantEnd();
        if (!node.endLimit().isZero()) {
            process.toHandle().destroy();
        }
    }

    /** Sets whether the end of the process is no failure from now on. */
    void mayEnd(boolean may) {
        endIsWanted = may;
    }

    /** Requests an orderly shutdown, which leaves the data intact. */
    void askToEnd() {
        wantEnd();
        process.toHandle().destroy();
    }

    private void wantEnd() {
        endIsWanted = true;
        helpers = process.descendants().toList();
    }

    /** Kills the process and its helpers once its time for an orderly shutdown has passed. */
    void kill(long terminatedNs) {
        awaitEnd(terminatedNs + node.endLimit().toNanos());
        destroyForcibly();
    }

    private void destroyForcibly() {
        process.toHandle().destroyForcibly();
        helpers.forEach(ProcessHandle::destroyForcibly);
    }

    /** Kills the process and its helpers at once, as a crash does; {@link #awaitEnd} waits for the end. */
    void crash() {
        wantEnd();
        destroyForcibly();
    }

    /** Closes the pipe of a process that has ended, so that its watcher ends as well. */
    void abandon() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // The watcher stays until this JVM ends, and finds nothing to do then.
        }
    }

    /**
     * Returns whether the process and its helpers have ended before the deadline. An interrupt does not shorten the
     * wait and stays set.
     */
    boolean awaitEnd(long deadlineNs) {
        boolean interrupted = false;
        try {
            // Helpers are not children of this JVM, so the system does not report their end.
            while (process.isAlive() || helpers.stream().anyMatch(NodeProcess::runs)) {
                if (System.nanoTime() - deadlineNs > 0) {
                    return false;
                }
                try {
                    Thread.sleep(POLL_MS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A process that has ended but whose parent has not collected the exit code is still listed, without a command. */
    private static boolean runs(ProcessHandle process) {
        return process.isAlive() && process.info().command().isPresent();
    }
}
