package io.openmessaging.benchmark.cli.worker;

import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.LogFile;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.result.Calibration;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.file.CalibrationFile;
import io.openmessaging.benchmark.worker.DriverLoader;
import io.openmessaging.benchmark.worker.LocalWorker;
import io.openmessaging.benchmark.worker.protocol.Ceilings;
import io.openmessaging.benchmark.worker.server.ServerCap;
import io.openmessaging.benchmark.worker.server.ServerCaps;
import io.openmessaging.benchmark.worker.server.WorkerServer;
import io.openmessaging.benchmark.worker.transport.Build;
import io.openmessaging.benchmark.worker.transport.KeyFile;
import io.openmessaging.benchmark.worker.transport.KeyFileException;
import io.openmessaging.benchmark.worker.transport.KeyMaker;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of {@code bin/benchmark-worker}. OMB's options have OMB's names. */
@Command(
        name = WorkerCommand.NAME,
        mixinStandardHelpOptions = true,
        versionProvider = Installation.BuildVersion.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "Sends and receives for a bin/benchmark on this machine or another, which names it by --workers.",
        footer = {
            "",
            "GET / is a page with its state. Ctrl-C ends it: a load is stopped, clients are closed.",
            "Exit code: 1 it cannot listen there, 2 bad arguments or key file, 130 ended by Ctrl-C.",
            "",
            "  bin/benchmark-worker --port 8080                                  (for this machine)",
            "  bin/benchmark-worker --new-key bench.key                          (once; copy it to all machines)",
            "  bin/benchmark-worker --host 0.0.0.0 --key bench.key --port 8080   (for others)"
        })
final class WorkerCommand implements Callable<Integer> {

    static final String NAME = "benchmark-worker";

    private static final int MAX_PORT = 65_535;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "N",
            defaultValue = "8080",
            description = "Where it listens (default: ${DEFAULT-VALUE}); 0 for any free port.")
    private int port;

    @Option(
            names = {"-sp", "--stats-port"},
            paramLabel = "N",
            description =
                    "Accepted as in OMB, no effect: bin/benchmark --metrics-port serves the figures of all workers.")
    private @Nullable Integer statsPort;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description =
                    "The address of this machine to listen on (default: ${DEFAULT-VALUE}); 0.0.0.0 for all of them.")
    private String host = "";

    @Option(
            names = "--key",
            paramLabel = "FILE",
            description = "The key file that coordinator and workers share: TLS 1.3, and no access without it.")
    private @Nullable Path key;

    @Option(names = "--new-key", paramLabel = "FILE", description = "Creates a key file and exits.")
    private @Nullable Path newKey;

    @Option(names = "--insecure", description = "Listens for other machines without a key: for a private network only.")
    private boolean insecure;

    @Option(
            names = "--lease",
            paramLabel = "SECONDS",
            defaultValue = "15",
            description = {
                "How long a coordinator may be silent before its load is stopped and the worker is free",
                "(default: ${DEFAULT-VALUE})."
            })
    private int leaseS;

    @Option(names = "--limit", paramLabel = "NAME=N", description = "Limits of a connection: ${COMPLETION-CANDIDATES}.")
    private Map<ServerCap, Integer> limits = Map.of();

    @Option(
            names = "--until-input-ends",
            hidden = true,
            description = "Exits when its standard input closes, and prints its log: for a parent process.")
    private boolean untilInputEnds;

    private final Path currentFolder;

    WorkerCommand(Path currentFolder) {
        this.currentFolder = currentFolder;
    }

    @Override
    public Integer call() throws UserException, InterruptedException {
        LogFile.silence();
        PrintWriter out = spec.commandLine().getOut();
        if (newKey != null) {
            return makeKey(newKey, out);
        }
        WorkerServer.Settings settings = settings();
        if (statsPort != null) {
            out.println(NAME
                    + ": --stats-port has no effect: bin/benchmark --metrics-port serves the figures of all workers");
        }
        return serve(settings, out);
    }

    private static int makeKey(Path file, PrintWriter out) throws UserException, InterruptedException {
        try {
            KeyMaker.make(file);
        } catch (KeyFileException e) {
            throw new UserException(NAME + ": " + e.getMessage());
        }
        out.printf(
                "%s created; anyone who has it can use the workers. Copy it to all machines: scp -p %s w1:%n",
                file, file);
        return ExitCode.OK;
    }

    private WorkerServer.Settings settings() throws UserException {
        if (port < 0 || port > MAX_PORT) {
            throw new UserException(
                    NAME + ": --port: must be a port from 1 to 65535, or 0 for any free port, got " + port);
        }
        if (leaseS < 1) {
            throw new UserException(NAME + ": --lease: must be at least 1 second, got " + leaseS);
        }
        InetAddress address = address();
        if (key == null && !insecure && !address.isLoopbackAddress()) {
            throw new UserException(NAME + ": --host " + host + " is open to other machines: needs --key FILE"
                    + " ('bin/benchmark-worker --new-key bench.key' creates one), or --insecure in a private network");
        }
        ServerCaps allowed = ServerCaps.defaults();
        for (Map.Entry<ServerCap, Integer> limit : limits.entrySet()) {
            if (limit.getValue() < limit.getKey().least()) {
                throw new UserException(NAME + ": --limit: " + limit.getKey() + " must be at least "
                        + limit.getKey().least() + ", got " + limit.getValue());
            }
            allowed = allowed.with(limit.getKey(), limit.getValue());
        }
        return new WorkerServer.Settings(
                new InetSocketAddress(address, port), readKey(), Duration.ofSeconds(leaseS), allowed);
    }

    private InetAddress address() throws UserException {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new UserException(
                    NAME + ": --host: must be a name or an address of this machine, got '" + host + "'");
        }
    }

    private @Nullable KeyFile readKey() throws UserException {
        try {
            return key == null ? null : KeyFile.read(key);
        } catch (KeyFileException e) {
            throw new UserException(NAME + ": " + e.getMessage());
        }
    }

    private int serve(WorkerServer.Settings settings, PrintWriter out) throws InterruptedException {
        try {
            Installation installation = Installation.fromSystemProperties();
            Build build = Installation.build();
            EpochClock clock = new EpochClock();
            DriverLoader drivers = new DriverLoader(installation.drivers());
            Ceilings ceilings = ceilings();
            WorkerServer server = WorkerServer.start(
                    settings,
                    new WorkerServer.Host(
                            build, progress -> LocalWorker.elsewhere(drivers, clock, ceilings, progress), clock));
            openLog(server.address().getPort());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(server), "end"));
            out.printf(
                    "%s %s: ready at %s, log in %s%n",
                    NAME, build, server.url(), log(server.address().getPort()));
            if (untilInputEnds) {
                while (System.in.read() >= 0) {
                    // Input is ignored; only its end matters, which means that the parent process is gone.
                }
            } else {
                new CountDownLatch(1).await();
            }
            return ExitCode.OK;
        } catch (IOException e) {
            spec.commandLine()
                    .getErr()
                    .printf(
                            "%s: cannot listen on %s:%d (%s); take another --port, or 0 for any free port%n",
                            NAME, host, port, e.getMessage());
            return ExitCode.FAILED;
        }
    }

    private static void end(WorkerServer server) {
        server.close();
        LogFile.close();
    }

    /**
     * Returns the ceilings of this machine if bin/benchmark calibrate was run here; the rate of a run is compared with
     * them.
     */
    private @Nullable Ceilings ceilings() {
        return CalibrationFile.readFor(
                        Environment.here(Installation.version(), ""),
                        results().resolve(CalibrationFile.NAME),
                        problem -> spec.commandLine().getErr().println(NAME + ": " + problem))
                .map(Calibration::ceilings)
                .orElse(null);
    }

    private Path results() {
        return currentFolder.resolve("results");
    }

    private Path log(int listening) {
        return results().resolve(NAME + "-" + listening + ".log");
    }

    private void openLog(int listening) throws IOException {
        Path file = log(listening);
        Files.createDirectories(file.toAbsolutePath().getParent());
        LogFile.open(file);
        if (untilInputEnds) {
            LogFile.print();
        }
    }
}
