package io.openmessaging.benchmark.fleet;

import io.openmessaging.benchmark.clock.ClockReport;
import io.openmessaging.benchmark.clock.ClockWatch;
import io.openmessaging.benchmark.clock.ProbeExchange;
import io.openmessaging.benchmark.clock.WatchedClock;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.worker.group.Group;
import io.openmessaging.benchmark.worker.group.Timing;
import io.openmessaging.benchmark.worker.protocol.Machine;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.remote.ClaimedWorker;
import io.openmessaging.benchmark.worker.remote.Limits;
import io.openmessaging.benchmark.worker.remote.WorkerException;
import io.openmessaging.benchmark.worker.remote.Workers;
import io.openmessaging.benchmark.worker.transport.Build;
import io.openmessaging.benchmark.worker.transport.ClockReading;
import io.openmessaging.benchmark.worker.transport.KeyFile;
import io.openmessaging.benchmark.worker.transport.KeyFileException;
import io.openmessaging.benchmark.worker.transport.WorkerInfo;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The workers of an invocation, claimed for all its runs, with their clocks. Used by one thread. */
public final class Fleet implements AutoCloseable {

    /** Before a load, so that the offsets it begins with are as good as they get. */
    private static final int PROBES_BEFORE_LOAD = 32;

    /** After a load, for the last messages. */
    private static final int PROBES_AFTER_LOAD = 64;

    private static final Duration PROBES_LIMIT = Duration.ofSeconds(3);

    /** How long a worker that was lost may take to come back, until the next run of a plan begins. */
    private static final Duration RETURN_LIMIT = Duration.ofSeconds(60);

    private static final long RETURN_PAUSE_MS = 1_000;

    /** Of a worker without a port for probes: nobody answers there. */
    private static final InetSocketAddress NOWHERE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);

    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_US = 1e3;

    private final FleetRequest request;
    private final Installed installed;
    private final @Nullable KeyFile key;
    private final EpochClock clock = new EpochClock();
    private final ClockWatch watch;
    private @Nullable LocalProcesses processes;
    private @Nullable Workers workers;
    private List<WatchedClock> clocks = List.of();
    private @Nullable RunPhase phaseSeen;

    /**
     * What this process runs.
     *
     * @param home where {@code bin/} is
     * @param build which workers have to have as well
     */
    public record Installed(Path home, Build build) {}

    private Fleet(FleetRequest request, Installed installed) throws FleetException {
        this.request = request;
        this.installed = installed;
        try {
            this.key = request.key() == null ? null : KeyFile.read(request.key());
            this.watch = ClockWatch.start(clock);
        } catch (KeyFileException e) {
            throw new FleetException("benchmark: " + e.getMessage());
        } catch (IOException e) {
            throw new FleetException("benchmark: there is no UDP port for clock probes: " + e.getMessage());
        }
    }

    /**
     * Claims the workers that are asked for, and starts them before if that is what is asked for.
     *
     * @throws FleetException if one of them cannot be had
     */
    public static Fleet open(FleetRequest request, Installed installed) throws FleetException, InterruptedException {
        Fleet fleet = new Fleet(request, installed);
        boolean complete = false;
        try {
            fleet.claim();
            complete = true;
            return fleet;
        } finally {
            if (!complete) {
                fleet.close();
            }
        }
    }

    private void claim() throws FleetException, InterruptedException {
        try {
            if (request.processes() > 0) {
                processes = LocalProcesses.start(request.processes(), installed.home());
            }
            List<String> urls = processes == null
                    ? request.addresses().stream().map(URI::toString).toList()
                    : processes.urls();
            Workers claimed = Workers.claim(
                    urls,
                    new Workers.Coordinator(installed.build(), ownName(), key, request.insecure(), Limits.defaults()));
            workers = claimed;
            clocks = IntStream.range(0, claimed.all().size())
                    .mapToObj(worker -> watch(worker + 1, claimed.all().get(worker)))
                    .toList();
            awaitProbes(clocks.stream()
                    .map(watched -> watched.burst(PROBES_BEFORE_LOAD))
                    .toList());
        } catch (WorkerException e) {
            throw new FleetException(String.valueOf(e.getMessage())
                    .lines()
                    .map(line -> "benchmark: " + line)
                    .collect(Collectors.joining("\n")));
        }
    }

    /** What a second coordinator is told of who has a worker. */
    private static String ownName() {
        return "bin/benchmark on " + Machine.here(0).host() + ", process "
                + ProcessHandle.current().pid();
    }

    private WatchedClock watch(int number, ClaimedWorker claimed) {
        InetSocketAddress address = claimed.probeAddress();
        return watch.watch(
                Hand.name(number, claimed),
                address == null ? NOWHERE : address,
                claimed.probeKey(),
                new ProbeExchange() {
                    @Override
                    public String name() {
                        return "HTTP";
                    }

                    @Override
                    public Stamps ask() throws IOException, InterruptedException {
                        ClockReading reading = claimed.readClock();
                        return new Stamps(reading.receivedNs(), reading.answeredNs());
                    }
                });
    }

    private static void awaitProbes(List<CompletableFuture<Integer>> bursts) throws InterruptedException {
        try {
            CompletableFuture.allOf(bursts.toArray(CompletableFuture[]::new))
                    .get(PROBES_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // What is known of the clocks so far has its bounds.
        }
    }

    /** The coordinator's clock, by which workers' times are told. */
    public EpochClock clock() {
        return clock;
    }

    /**
     * The workers as one, for a run.
     *
     * @param progress told about once a second how far a worker is that is waited for
     * @throws FleetException if a worker was lost and has not come back
     */
    public Worker worker(Consumer<String> progress) throws FleetException, InterruptedException {
        awaitReturn();
        List<ClaimedWorker> all = claimed().all();
        List<Hand> hands = IntStream.range(0, all.size())
                .mapToObj(worker -> Hand.forRun(worker + 1, all.get(worker), clocks.get(worker)))
                .toList();
        return new Group(hands, request.roles(), clock, Timing.standard(), progress);
    }

    private Workers claimed() {
        return Objects.requireNonNull(workers, "claim() comes first");
    }

    /** If a worker was lost, all are given back and claimed again: it may be another process by now. */
    private void awaitReturn() throws FleetException, InterruptedException {
        if (workers != null
                && workers.all().stream().allMatch(worker -> worker.lost().isEmpty())) {
            return;
        }
        long untilNs = System.nanoTime() + RETURN_LIMIT.toNanos();
        while (true) {
            giveBack();
            try {
                claim();
                return;
            } catch (FleetException e) {
                if (System.nanoTime() > untilNs) {
                    throw e;
                }
                Thread.sleep(RETURN_PAUSE_MS);
            }
        }
    }

    /** Looks at the clocks closely: before a load, and after it. */
    public RunListener listener() {
        return now -> {
            if (now.phase() == phaseSeen) {
                return;
            }
            phaseSeen = now.phase();
            if (phaseSeen == RunPhase.READY || phaseSeen == RunPhase.DRAIN) {
                int probes = phaseSeen == RunPhase.READY ? PROBES_BEFORE_LOAD : PROBES_AFTER_LOAD;
                clocks.forEach(watched -> watched.burst(probes));
            }
        };
    }

    /** What is known of the clocks in a span of time, epoch nanoseconds, in the order of the workers. */
    public List<ClockReport> clockReports(long startNs, long endNs) {
        return clocks.stream()
                .map(watched -> watched.report(startNs, endNs, null))
                .toList();
    }

    /** A line for each worker: where it is, and how well its clock is known. */
    public List<String> describe() {
        List<ClaimedWorker> all = claimed().all();
        return IntStream.range(0, all.size())
                .mapToObj(worker -> describe(all.get(worker), clocks.get(worker)))
                .toList();
    }

    private static String describe(ClaimedWorker worker, WatchedClock watched) {
        WorkerInfo info = worker.info();
        String ofClock = watched.offset()
                .map(offset -> String.format(
                        Locale.ROOT,
                        "clock %+.3f ms ± %.0f µs (%s)",
                        offset.aheadNs() / NS_PER_MS,
                        offset.boundNs() / NS_PER_US,
                        watched.method()))
                .orElse("its clock is not known");
        return String.format(
                Locale.ROOT,
                "%s: %s, %s, Java %s, %d processors, round trip %.3f ms, %s",
                worker,
                info.host(),
                info.build(),
                info.jdk(),
                info.processors(),
                watched.report(0, Long.MAX_VALUE, null).probes().minRoundTripNs() / NS_PER_MS,
                ofClock);
    }

    private void giveBack() {
        clocks.forEach(WatchedClock::close);
        clocks = List.of();
        if (workers != null) {
            workers.close();
            workers = null;
        }
        if (processes != null) {
            processes.close();
            processes = null;
        }
    }

    /** Gives the workers back; those that were started here end. */
    @Override
    public void close() {
        giveBack();
        watch.close();
    }
}
