package io.openmessaging.benchmark.fleet;

import io.openmessaging.benchmark.clock.ClockWatch;
import io.openmessaging.benchmark.clock.ProbeExchange;
import io.openmessaging.benchmark.clock.WatchedClock;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.worker.remote.ClaimedWorker;
import io.openmessaging.benchmark.worker.transport.ClockReading;
import io.openmessaging.benchmark.worker.transport.WorkerInfo;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The coordinator's clock, and the clocks of workers relative to it. Used by one thread. */
final class FleetClocks implements AutoCloseable {

    /** Number of probes before a load, so that its first offsets are as accurate as possible. */
    static final int PROBES_BEFORE_LOAD = 32;

    private static final Duration PROBES_LIMIT = Duration.ofSeconds(3);

    /** Address for a worker without a port for probes: nobody answers there. */
    private static final InetSocketAddress NOWHERE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);

    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_US = 1e3;

    private final EpochClock own = new EpochClock();
    private final ClockWatch watch;

    private FleetClocks() throws IOException {
        this.watch = ClockWatch.start(own);
    }

    /**
     * Opens the port for the workers' answers.
     *
     * @throws FleetException if no port is available
     */
    static FleetClocks open() throws FleetException {
        try {
            return new FleetClocks();
        } catch (IOException e) {
            throw new FleetException("benchmark: cannot open a UDP port for clock probes: " + e.getMessage());
        }
    }

    EpochClock own() {
        return own;
    }

    /** Starts to watch a worker's clock. */
    WatchedClock watch(String name, ClaimedWorker claimed) {
        InetSocketAddress address = claimed.probeAddress();
        return watch.watch(name, address == null ? NOWHERE : address, claimed.probeKey(), new ProbeExchange() {
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

    /** Waits until the clocks are known well enough for a load, or a few seconds if that is not possible. */
    static void await(List<WatchedClock> clocks) throws InterruptedException {
        try {
            CompletableFuture.allOf(clocks.stream()
                            .map(watched -> watched.burst(PROBES_BEFORE_LOAD))
                            .toArray(CompletableFuture[]::new))
                    .get(PROBES_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // The offsets known so far have their bounds.
        }
    }

    /** Returns the shortest round trip of all probes, in nanoseconds; 0 before the first. */
    static long roundTripNs(WatchedClock watched) {
        return watched.report(0, Long.MAX_VALUE).probes().minRoundTripNs();
    }

    /** Describes how well a clock is known. */
    static String describe(WatchedClock watched) {
        return watched.offset()
                .map(offset -> String.format(
                        Locale.ROOT,
                        "clock %+.3f ms ± %.0f µs (%s)",
                        offset.aheadNs() / NS_PER_MS,
                        offset.boundNs() / NS_PER_US,
                        watched.method()))
                .orElse("its clock offset is unknown");
    }

    /** Describes a worker and its distance. */
    static String describe(WorkerInfo info, long roundTripNs) {
        return String.format(
                Locale.ROOT,
                "%s, %s, Java %s, %d processors, round trip %.3f ms",
                info.host(),
                info.build(),
                info.jdk(),
                info.processors(),
                roundTripNs / NS_PER_MS);
    }

    @Override
    public void close() {
        watch.close();
    }
}
