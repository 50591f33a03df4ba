package io.openmessaging.benchmark.harness.workers;

import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.measure.StallMeter;
import io.openmessaging.benchmark.worker.DriverLoader;
import io.openmessaging.benchmark.worker.Drivers;
import io.openmessaging.benchmark.worker.LocalWorker;
import io.openmessaging.benchmark.worker.server.ServerCaps;
import io.openmessaging.benchmark.worker.server.WorkerServer;
import io.openmessaging.benchmark.worker.transport.Build;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * A process with many workers, each with its own server, clock and port, on loopback. All share the in-memory system of
 * this process. The topics of a run are created here, because a coordinator in another process creates them in its own
 * in-memory system.
 */
final class ManyWorkers {

    private static final Duration LEASE = Duration.ofSeconds(15);

    private ManyWorkers() {}

    /**
     * Prints {@code listening on PORT} for each worker, and for each run {@code prepare-bytes N} and {@code
     * barrier-seconds N}, of which the last one counts. Runs until it is killed.
     *
     * @param args number of workers
     */
    public static void main(String[] args) throws Exception {
        Installation installation = Installation.fromSystemProperties();
        Build build = Installation.build();
        DriverLoader loader = new DriverLoader(installation.drivers());
        Drivers drivers = description -> {
            synchronized (loader) {
                return loader.load(description);
            }
        };
        StallMeter stalls = StallMeter.start();
        SharedRun run = new SharedRun(drivers, System.out);
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            EpochClock clock = new EpochClock();
            // Does not sample the process's resources: a hundred workers in one process would each do so.
            WorkerServer server = WorkerServer.start(
                    new WorkerServer.Settings(anyPort, null, LEASE, ServerCaps.defaults()),
                    new WorkerServer.Host(
                            build,
                            progress -> run.observed(new LocalWorker(drivers, clock, stalls::shared), clock),
                            clock));
            System.out.println("listening on " + server.address().getPort());
        }
        new CountDownLatch(1).await();
    }
}
