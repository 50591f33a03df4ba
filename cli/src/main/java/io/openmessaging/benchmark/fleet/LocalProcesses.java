package io.openmessaging.benchmark.fleet;

import io.openmessaging.benchmark.faults.ProcessSignals;
import io.openmessaging.benchmark.faults.ProcessSignals.Signal;
import io.openmessaging.benchmark.faults.UndoGuard;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.limits.LimitGroup;
import io.openmessaging.benchmark.limits.ProcessLimit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Worker processes on this machine. Each reads from a pipe of this process and ends when the pipe closes, however this
 * process ends.
 */
final class LocalProcesses implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    /** Workers start together, each for some seconds of processor time, which may be limited. */
    private static final Duration START_LIMIT_FOR_EACH = Duration.ofSeconds(10);

    private static final Duration END_LIMIT = Duration.ofSeconds(30);

    private final List<StartedWorker> started = new ArrayList<>();
    private final List<Optional<LimitGroup>> groups = new ArrayList<>();
    private final List<String> urls = new ArrayList<>();

    /** Guards that resume paused workers if this process dies, by index. */
    private final Map<Integer, UndoGuard> guards = new HashMap<>();

    private LocalProcesses() {}

    /**
     * Starts workers.
     *
     * @param home the folder that contains {@code bin/benchmark-worker}
     * @param limits of each worker
     * @throws FleetException if one does not start
     */
    static LocalProcesses start(int count, Path home, Confinement limits) throws FleetException, InterruptedException {
        LocalProcesses workers = new LocalProcesses();
        boolean complete = false;
        try {
            for (int i = 0; i < count; i++) {
                workers.startOne(i + 1, home, limits);
            }
            Duration limit = START_LIMIT.plus(START_LIMIT_FOR_EACH.multipliedBy(count));
            for (int i = 0; i < count; i++) {
                workers.urls.add(workers.awaitReady(i, limit));
            }
            complete = true;
            return workers;
        } catch (IOException e) {
            throw new FleetException("benchmark: workers on this machine cannot be started: " + e.getMessage(), true);
        } finally {
            if (!complete) {
                workers.close();
            }
        }
    }

    private void startOne(int number, Path home, Confinement limits) throws IOException {
        Optional<LimitGroup> group = limits.open("client-" + number);
        groups.add(group);
        List<String> command = StartedWorker.deaf(List.of(
                home.resolve("bin/benchmark-worker").toString(), "--port", "0", StartedWorker.UNTIL_INPUT_ENDS));
        ProcessBuilder builder =
                new ProcessBuilder(group.map(within -> within.command(command)).orElse(command));
        limits.clientHeapOptions().ifPresent(options -> builder.environment().put("HEAP_OPTS", options));
        started.add(new StartedWorker(builder, line -> {}));
    }

    private String awaitReady(int worker, Duration limit) throws FleetException, InterruptedException {
        try {
            return started.get(worker)
                    .awaitReady(limit)
                    .orElseThrow(() -> new FleetException(
                            "benchmark: a worker on this machine was not ready within " + limit.toSeconds() + " s",
                            true));
        } catch (IOException e) {
            throw new FleetException(
                    "benchmark: a worker on this machine did not start: "
                            + killedForMemory(worker).orElseGet(() -> String.valueOf(e.getMessage())),
                    true);
        }
    }

    /** Returns why the kernel has killed a worker; empty if it has not. */
    Optional<String> killedForMemory(int worker) {
        return groups.get(worker)
                .filter(LimitGroup::killedForMemory)
                .map(group -> "the kernel killed it at its memory limit of "
                        + ProcessLimit.memoryText(
                                Objects.requireNonNull(group.limit().memoryBytes())) + " (limits.eachClient.memory)");
    }

    /** Returns the workers' addresses, in their order. */
    List<String> urls() {
        return urls;
    }

    /**
     * Kills a worker; returns when it has ended.
     *
     * @throws IOException with a sentence if it does not end within half a minute
     */
    void kill(int worker, String name) throws IOException, InterruptedException {
        Process process = started.get(worker).process();
        ProcessSignals.send(name, process.pid(), Signal.KILL);
        if (!process.waitFor(END_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new IOException(name + " has not ended within " + END_LIMIT.toSeconds() + " s after SIGKILL");
        }
    }

    /**
     * Pauses a worker; returns when it has stopped.
     *
     * @throws IOException with a sentence if it does not
     */
    void pause(int worker, String name) throws IOException, InterruptedException {
        long pid = started.get(worker).process().pid();
        // A paused worker does not notice that its pipe has ended.
        UndoGuard guard = UndoGuard.of(List.of("kill", "-s", Signal.CONT.name(), Long.toString(pid)));
        boolean paused = false;
        try {
            ProcessSignals.pause(name, pid);
            paused = true;
        } finally {
            if (paused) {
                guards.put(worker, guard);
            } else {
                ProcessSignals.send(name, pid, Signal.CONT);
                guard.release();
            }
        }
    }

    /**
     * Resumes a worker.
     *
     * @throws IOException with a sentence if the signal cannot be sent
     */
    void resume(int worker, String name) throws IOException, InterruptedException {
        ProcessSignals.send(name, started.get(worker).process().pid(), Signal.CONT);
        Objects.requireNonNull(guards.remove(worker), "pause() comes first").release();
    }

    /** Kills a worker that no longer answers: a halted one would not notice that its pipe closes. */
    void abandon(int worker) {
        started.get(worker).process().destroyForcibly();
    }

    /** Ends all workers, first by closing their pipes. */
    @Override
    public void close() {
        started.forEach(StartedWorker::endInput);
        boolean interrupted = false;
        long untilNs = System.nanoTime() + END_LIMIT.toNanos();
        for (StartedWorker worker : started) {
            try {
                if (!worker.awaitEnd(untilNs - System.nanoTime())) {
                    worker.process().destroyForcibly();
                }
            } catch (InterruptedException e) {
                interrupted = true;
                worker.process().destroyForcibly();
            }
        }
        groups.forEach(group -> group.ifPresent(LimitGroup::close));
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
