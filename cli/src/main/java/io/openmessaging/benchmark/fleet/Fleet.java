package io.openmessaging.benchmark.fleet;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.clock.ClockReport;
import io.openmessaging.benchmark.clock.WatchedClock;
import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.WorkerState;
import io.openmessaging.benchmark.worker.group.Group;
import io.openmessaging.benchmark.worker.group.Member;
import io.openmessaging.benchmark.worker.group.Timing;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.WorkerHost;
import io.openmessaging.benchmark.worker.remote.ClaimedWorker;
import io.openmessaging.benchmark.worker.remote.WorkerException;
import io.openmessaging.benchmark.worker.remote.Workers;
import io.openmessaging.benchmark.worker.transport.Build;
import io.openmessaging.benchmark.worker.transport.KeyFile;
import io.openmessaging.benchmark.worker.transport.KeyFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The workers of an invocation, claimed for all its runs, with their clocks. Used by one thread; faults are caused by
 * another thread while the first one waits for a run.
 */
public final class Fleet implements AutoCloseable {

    /** Number of clock probes after a load, for the last messages. */
    private static final int PROBES_AFTER_LOAD = 64;

    /** Shortest pause between two attempts to claim all workers. */
    private static final long CLAIM_PAUSE_MS = 1_000;

    /** How often a wait for workers is told. */
    private static final Duration TELL_EVERY = Duration.ofSeconds(60);

    private final FleetRequest request;
    private final Confinement limits;
    private final Installed installed;
    private final Workers.ConnectOptions coordinator;
    private final FleetClocks known;
    private @Nullable LocalProcesses processes;
    private @Nullable Workers workers;
    private List<WatchedClock> clocks = List.of();

    /** Why some of the requested workers take no part in the runs any more, a sentence for each. */
    private List<String> missing = List.of();

    private boolean hasRun;
    private @Nullable RunPhase phaseSeen;
    private RunListener told = RunListener.silent();
    private final Consumer<String> console;

    /**
     * The installation of this process.
     *
     * @param home the folder that contains {@code bin/}
     * @param build required of workers, too
     */
    public record Installed(Path home, Build build) {}

    private Fleet(FleetRequest request, Confinement limits, Installed installed, Consumer<String> console)
            throws FleetException {
        this.request = request;
        this.console = console;
        this.limits = limits;
        this.installed = installed;
        this.coordinator = coordinator(request, installed.build(), console);
        this.known = FleetClocks.open();
    }

    /**
     * Returns the options with which this process claims workers.
     *
     * @param console receives each line for the user once, however often workers are claimed
     * @throws FleetException if the key file has no key
     */
    static Workers.ConnectOptions coordinator(FleetRequest request, Build build, Consumer<String> console)
            throws FleetException {
        Set<String> told = ConcurrentHashMap.newKeySet();
        Path file = request.key();
        String name = "bin/benchmark on " + WorkerHost.here().name() + ", process "
                + ProcessHandle.current().pid();
        try {
            KeyFile key = file == null ? null : KeyFile.read(file);
            return new Workers.ConnectOptions(build, name, key, request.insecure(), request.timeouts(), line -> {
                if (told.add(line)) {
                    console.accept(line);
                }
            });
        } catch (KeyFileException e) {
            throw new FleetException("benchmark: " + e.getMessage());
        }
    }

    /**
     * Claims the requested workers; starts them first if requested.
     *
     * @param console receives lines for the user while this or {@link #worker} waits for workers
     * @throws FleetException if one of them is not available
     */
    public static Fleet open(FleetRequest request, Installed installed, Consumer<String> console)
            throws FleetException, InterruptedException {
        return open(request, Confinement.NONE, installed, console);
    }

    /**
     * As {@link #open(FleetRequest, Installed, Consumer)}, with limits.
     *
     * @param limits of each worker that is started
     */
    public static Fleet open(FleetRequest request, Confinement limits, Installed installed, Consumer<String> console)
            throws FleetException, InterruptedException {
        Fleet fleet = new Fleet(request, limits, installed, console);
        boolean complete = false;
        try {
            fleet.claimWithin(request.waits().atStart(), false);
            complete = true;
            return fleet;
        } finally {
            if (!complete) {
                fleet.close();
            }
        }
    }

    /**
     * Claims all workers, or none: two coordinators that each keep a part of them would wait for each other. Repeats
     * that until the limit has passed, while the workers that cannot be had are only busy or away.
     *
     * @param thenWithout true to claim the others then
     */
    private void claimWithin(Duration limit, boolean thenWithout) throws FleetException, InterruptedException {
        long beganNs = System.nanoTime();
        long tellNs = beganNs;
        while (true) {
            giveBack();
            try {
                claim(Workers::claim);
                missing = List.of();
                return;
            } catch (FleetException e) {
                long nowNs = System.nanoTime();
                boolean timeIsUp = nowNs - beganNs >= limit.toNanos();
                if (thenWithout && timeIsUp && e.mayPass()) {
                    giveBack();
                    claim(Workers::claimRemaining);
                    missing = e.reasons().lines().toList();
                    console.accept("the runs go on without workers: " + String.join("; ", missing));
                    return;
                }
                if (!e.mayPass() || timeIsUp) {
                    throw e;
                }
                if (nowNs >= tellNs) {
                    tellNs = nowNs + TELL_EVERY.toNanos();
                    console.accept("waiting for workers, " + DurationText.format(limit) + " at most: "
                            + e.reasons().replace("\n", "; "));
                }
            }
            // Two coordinators that want the same workers must not meet at every attempt.
            Thread.sleep(CLAIM_PAUSE_MS + ThreadLocalRandom.current().nextLong(CLAIM_PAUSE_MS));
        }
    }

    private interface Claiming {
        Workers claim(List<String> urls, Workers.ConnectOptions coordinator)
                throws WorkerException, InterruptedException;
    }

    private void claim(Claiming way) throws FleetException, InterruptedException {
        try {
            if (request.processes() > 0) {
                processes = LocalProcesses.start(request.processes(), installed.home(), limits);
            }
            List<String> urls = processes == null
                    ? request.addresses().stream().map(Address::toString).toList()
                    : processes.urls();
            Workers claimed = way.claim(urls, coordinator);
            workers = claimed;
            clocks = claimed.all().stream()
                    .map(worker -> known.watch(worker.name(), worker))
                    .toList();
            FleetClocks.await(clocks);
        } catch (WorkerException e) {
            throw refused(e);
        }
    }

    /** Converts the reasons why workers are not available, a line for each. */
    static FleetException refused(WorkerException e) {
        String reasons = String.valueOf(e.getMessage())
                .lines()
                .map(line -> "benchmark: " + line)
                .collect(Collectors.joining("\n"));
        return new FleetException(reasons, e.mayPass());
    }

    /** Returns the coordinator's clock, to which workers' times are converted. */
    public EpochClock clock() {
        return known.own();
    }

    /**
     * Returns all workers as one, for a run.
     *
     * @param progress receives about once a second the progress of a worker that the run is waiting for
     * @throws FleetException if a worker was lost and has not returned
     */
    public Worker worker(Consumer<String> progress) throws FleetException, InterruptedException {
        told = RunListener.silent();
        awaitReturn();
        hasRun = true;
        List<ClaimedWorker> all = claimed().all();
        LocalProcesses here = processes;
        List<Member> members = IntStream.range(0, all.size())
                .mapToObj(worker -> all.get(worker)
                        .newRun(
                                clocks.get(worker)::offset,
                                () -> here == null ? Optional.empty() : here.killedForMemory(worker)))
                .toList();
        return new Group(members, request.roles(), request.workerLogs(), known.own(), Timing.standard(), text -> {
            told.workers(states());
            progress.accept(text);
        });
    }

    private Workers claimed() {
        return Objects.requireNonNull(workers, "claim() comes first");
    }

    /** Returns whether a claimed worker is known to be lost. */
    boolean hasLostOne() {
        return !lost().isEmpty();
    }

    /**
     * If a worker was lost, releases all and claims them again: it may be another process by now. Before the first run,
     * nobody has used it yet, so this waits only if the user asked for it.
     */
    private void awaitReturn() throws FleetException, InterruptedException {
        List<String> lost = lost();
        if (workers != null && lost.isEmpty()) {
            return;
        }
        FleetRequest.Waits waits = request.waits();
        try {
            claimWithin(hasRun ? waits.betweenRuns() : waits.atStart(), waits.withoutLost());
        } catch (FleetException e) {
            String before =
                    lost.stream().map(text -> "benchmark: " + text + "\n").collect(Collectors.joining());
            throw new FleetException(before + e.getMessage(), e.mayPass());
        }
    }

    private List<String> lost() {
        return workers == null
                ? List.of()
                : workers.all().stream()
                        .flatMap(worker -> worker.lost().stream().map(reason -> worker.name() + " was lost: " + reason))
                        .toList();
    }

    /**
     * Returns a listener that probes the clocks closely before and after a load, and reports the states of the workers.
     *
     * @param told receives the states of the workers, until the next run
     */
    public RunListener listener(RunListener told) {
        this.told = told;
        return now -> {
            told.workers(states());
            if (now.phase() == phaseSeen) {
                return;
            }
            phaseSeen = now.phase();
            if (phaseSeen == RunPhase.READY || phaseSeen == RunPhase.DRAIN) {
                int probes = phaseSeen == RunPhase.READY ? FleetClocks.PROBES_BEFORE_LOAD : PROBES_AFTER_LOAD;
                for (WatchedClock watched : clocks) {
                    // Nobody waits for the probes: they are answered while the load is prepared, or after its end.
                    var unused = watched.burst(probes);
                }
            }
        };
    }

    private List<WorkerState> states() {
        List<ClaimedWorker> all = claimed().all();
        return IntStream.range(0, all.size())
                .mapToObj(worker -> state(all.get(worker), clocks.get(worker)))
                .toList();
    }

    private static WorkerState state(ClaimedWorker claimed, WatchedClock watched) {
        return new WorkerState(
                claimed.name(), claimed.isSuspect(), claimed.lost(), watched.offset(), claimed.roundTripNs());
    }

    /** Returns what is known about the clocks in a time span, epoch nanoseconds, in the order of the workers. */
    public List<ClockReport> clockReports(long startNs, long endNs) {
        return clocks.stream().map(watched -> watched.report(startNs, endNs)).toList();
    }

    /** Returns how many workers get an interval log of their own. */
    public int workerLogs() {
        int count = workers == null ? request.count() : workers.all().size();
        return request.workerLogs() ? count : 0;
    }

    /** Returns what readers of a result need to know about its workers. */
    public List<Finding> notes() {
        List<String> open = request.elsewhere().stream()
                .filter(address -> "http".equals(address.scheme()))
                .map(Address::toString)
                .toList();
        List<Finding> notes = new ArrayList<>();
        if (!open.isEmpty()) {
            notes.add(Finding.workersOpen(open));
        }
        if (!missing.isEmpty()) {
            notes.add(Finding.workersMissing(claimed().all().size(), request.count(), missing));
        }
        return notes;
    }

    /** Returns a worker's name for users, by its index. */
    String name(int worker) {
        return claimed().all().get(worker).name();
    }

    /** Kills a worker that was started here. It is lost at once, and its clock is no longer watched. */
    void kill(int worker) throws IOException, InterruptedException {
        ClaimedWorker killed = claimed().all().get(worker);
        killed.willEnd("a fault of the workload has killed it");
        started().kill(worker, name(worker));
        killed.ended();
        clocks.get(worker).close();
    }

    /** Pauses a worker that was started here. */
    void pause(int worker) throws IOException, InterruptedException {
        started().pause(worker, name(worker));
    }

    /** Resumes a paused worker. */
    void resume(int worker) throws IOException, InterruptedException {
        started().resume(worker, name(worker));
    }

    private LocalProcesses started() throws IOException {
        LocalProcesses here = processes;
        if (here == null) {
            throw new IOException("no worker was started here");
        }
        return here;
    }

    /** Returns a line for each worker: its address, and how well its clock is known. */
    public List<String> describe() {
        List<ClaimedWorker> all = claimed().all();
        return IntStream.range(0, all.size())
                .mapToObj(worker -> {
                    ClaimedWorker one = all.get(worker);
                    return one + ": " + FleetClocks.describe(one.info(), FleetClocks.roundTripNs(clocks.get(worker)))
                            + ", " + FleetClocks.describe(clocks.get(worker));
                })
                .toList();
    }

    private void giveBack() {
        clocks.forEach(WatchedClock::close);
        clocks = List.of();
        LocalProcesses here = processes;
        if (workers != null) {
            if (here != null) {
                workers.all().stream()
                        .filter(worker -> worker.lost().isPresent())
                        .forEach(worker -> here.abandon(worker.number() - 1));
            }
            workers.close();
            workers = null;
        }
        if (here != null) {
            here.close();
            processes = null;
        }
    }

    /** Releases the workers; those that were started here end. */
    @Override
    public void close() {
        giveBack();
        known.close();
    }
}
