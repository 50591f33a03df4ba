package io.openmessaging.benchmark.fleet;

import io.openmessaging.benchmark.config.WorkersFile;
import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.fleet.SshWorkers.SshWorker;
import io.openmessaging.benchmark.fleet.WorkersCommand.OwnBuild;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.worker.group.Roles;
import io.openmessaging.benchmark.worker.remote.WorkerTimeouts;
import io.openmessaging.benchmark.worker.transport.Build;
import io.openmessaging.benchmark.worker.transport.KeyFile;
import io.openmessaging.benchmark.worker.transport.KeyFileException;
import io.openmessaging.benchmark.worker.transport.KeyMaker;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of {@code bin/benchmark workers start}. */
@Command(
        name = WorkersStartCommand.NAME,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Starts workers on other machines by SSH: copies this program and the key, asks each worker as a run would,"
                    + " and keeps the workers until Ctrl-C, for any number of runs. Their logs come here as they are"
                    + " written. At the end, the machines remove what they received. They need Java 17; HEAP_OPTS and"
                    + " JVM_OPTS of this shell apply to the workers.",
        },
        footer = {
            "",
            "Exit code: 0 ended by Ctrl-C; 1 a worker did not start or answer, or ended before; 2 bad arguments.",
            "",
            "  bin/benchmark workers start --ssh w1,admin@w2 --key bench.key"
        })
public final class WorkersStartCommand implements Callable<Integer> {

    static final String NAME = "start";

    private static final Duration LOOK = Duration.ofSeconds(1);

    /** For the first answer of a worker that listens, on a busy machine. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd-HH-mm-ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int ENDED_BY_USER = 0;
    private static final int WORKER_MISSING = 1;
    private static final int BAD_ARGUMENTS = 2;
    private static final int MAX_PORT = 65_535;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    @SuppressWarnings("unused") // read by picocli
    private boolean help;

    @Option(
            names = "--ssh",
            split = ",",
            required = true,
            paramLabel = "MACHINE,…",
            hideParamSyntax = true,
            description = "The machines, as ssh takes them: w1, admin@10.0.0.2, a Host of ~/.ssh/config.")
    private List<String> machines = List.of();

    @Option(
            names = "--key",
            paramLabel = "FILE",
            defaultValue = "bench.key",
            description = "The key file (default: ${DEFAULT-VALUE}). It is created if it does not exist.")
    private Path key = Path.of("");

    @Option(
            names = {"-p", "--port"},
            paramLabel = "N",
            defaultValue = "8080",
            description = "Where the workers listen (default: ${DEFAULT-VALUE}); 0 for any free port.")
    private int port;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "0.0.0.0",
            description = "The address on which they listen (default: ${DEFAULT-VALUE}, all addresses).")
    private String host = "";

    @Option(
            names = "--logs",
            paramLabel = "DIR",
            defaultValue = "worker-logs",
            description = "The folder for their logs (default: ${DEFAULT-VALUE}); each start makes a folder in it.")
    private Path logs = Path.of("");

    @Option(
            names = "--ssh-command",
            paramLabel = "COMMAND",
            defaultValue = "ssh",
            description = "The SSH client with its options, such as 'ssh -J bastion' (default: ${DEFAULT-VALUE}).")
    private String client = "";

    private final StopSignal stop;
    private final Path currentFolder;
    private final Path home;
    private final Path distribution;
    private final OwnBuild build;

    /**
     * Creates a command that is not parsed yet.
     *
     * @param stop ends the workers
     * @param currentFolder the folder of the key and the logs
     * @param home the folder that contains {@code bin/}
     * @param distribution the folder that contains {@code lib/} and {@code drivers/}
     * @param build required of workers, too
     */
    public WorkersStartCommand(StopSignal stop, Path currentFolder, Path home, Path distribution, OwnBuild build) {
        this.stop = stop;
        this.currentFolder = currentFolder;
        this.home = home;
        this.distribution = distribution;
        this.build = build;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        String problem = problem();
        if (problem != null) {
            return refused(problem, BAD_ARGUMENTS);
        }
        Path started = newFolder();
        stop.leadsTo("the workers end, their logs are brought, their files are removed");
        try {
            stop.interruptFrom();
            makeKey(out);
            SshWorkers.Access access = new SshWorkers.Access(
                    List.of(client.strip().split("\\s+")),
                    host,
                    port,
                    currentFolder.resolve(key),
                    currentFolder.resolve(started));
            Build own = build.read();
            try (SshWorkers workers = SshWorkers.start(machines, home, distribution, access, out::println)) {
                awaitAnswers(workers.all(), own, out);
                stop.noInterrupts();
                return keep(workers.all(), out);
            }
        } catch (KeyFileException e) {
            return refused("benchmark: workers: " + e.getMessage(), BAD_ARGUMENTS);
        } catch (FleetException e) {
            return refused(String.valueOf(e.getMessage()), WORKER_MISSING);
        } catch (IOException e) {
            return refused("benchmark: the installation cannot be read: " + e.getMessage(), BAD_ARGUMENTS);
        } catch (InterruptedException e) {
            return ENDED_BY_USER;
        } finally {
            stop.noInterrupts();
            if (Files.exists(currentFolder.resolve(started))) {
                out.println("the logs of the workers are in " + started);
            }
        }
    }

    /** Returns a folder for the logs that does not exist: those of an earlier start are kept. */
    private Path newFolder() {
        Path named = logs.resolve(TIME.format(Instant.now()));
        Path free = named;
        for (int i = 2; Files.exists(currentFolder.resolve(free)); i++) {
            free = named.resolveSibling(named.getFileName() + "-" + i);
        }
        return free;
    }

    private int refused(String why, int exitCode) {
        spec.commandLine().getErr().println(why);
        return exitCode;
    }

    private @Nullable String problem() {
        Set<String> seen = new HashSet<>();
        for (String machine : machines) {
            // ssh would take it for an option.
            if (machine.isBlank() || machine.startsWith("-")) {
                return "benchmark: workers: --ssh: '" + machine + "' is no machine; use names such as w1 or admin@w1";
            }
            if (port != 0 && !seen.add(machine)) {
                return "benchmark: workers: --ssh: " + machine + " is given twice; one machine needs one worker";
            }
        }
        if (port < 0 || port > MAX_PORT) {
            return "benchmark: workers: --port: must be a port from 1 to 65535, or 0 for any free port, got " + port;
        }
        return client.isBlank() ? "benchmark: workers: --ssh-command: must not be empty" : null;
    }

    /** Makes the key if there is none; a wrong one is refused before it is copied anywhere. */
    private void makeKey(PrintWriter out) throws KeyFileException, InterruptedException {
        Path file = currentFolder.resolve(key);
        if (!Files.exists(file)) {
            KeyMaker.make(file);
            out.println(key + " created; anyone who has it can use the workers");
        }
        KeyFile.read(file);
    }

    /** Asks each worker as a run would: a firewall may be in the way, or another process answer at its address. */
    private void awaitAnswers(List<SshWorker> workers, Build own, PrintWriter out)
            throws FleetException, InterruptedException {
        out.println("asking each worker …");
        List<Address> addresses = workers.stream()
                .map(worker -> Address.parse(worker.url(), WorkersFile.WORKER))
                .toList();
        FleetRequest asked = new FleetRequest(
                addresses,
                0,
                currentFolder.resolve(key),
                false,
                Roles.MIXED,
                false,
                FleetRequest.Waits.with(WorkerTimeouts.defaults()));
        Inspection seen =
                Inspection.within(ANSWER_LIMIT, addresses, Fleet.coordinator(asked, own, out::println), out::println);
        if (!seen.problems().isEmpty()) {
            List<String> why = new ArrayList<>(seen.problems());
            for (SshWorker worker : workers) {
                worker.ended().ifPresent(why::add);
            }
            throw new FleetException(
                    why.stream().map(line -> "benchmark: workers: " + line).collect(Collectors.joining("\n")));
        }
        seen.lines().forEach(out::println);
    }

    /** Waits for Ctrl-C, and reports workers that end before. */
    private int keep(List<SshWorker> workers, PrintWriter out) throws InterruptedException {
        String urls = workers.stream().map(SshWorker::url).collect(Collectors.joining(","));
        out.println("ready; use them in another terminal, and end them here by Ctrl-C:");
        out.println("  bin/benchmark --workers " + urls + " --key " + key + " --drivers … WORKLOAD");
        Set<SshWorker> ended = new HashSet<>();
        while (!stop.await(LOOK.toNanos()) && ended.size() < workers.size()) {
            for (SshWorker worker : workers) {
                Optional<String> how = ended.contains(worker) ? Optional.empty() : worker.ended();
                if (how.isPresent()) {
                    ended.add(worker);
                    spec.commandLine().getErr().println("benchmark: workers: " + how.get());
                }
            }
        }
        return ended.isEmpty() ? ENDED_BY_USER : WORKER_MISSING;
    }
}
