package io.openmessaging.benchmark.fleet;

import io.openmessaging.benchmark.program.ProgramRun;
import io.openmessaging.benchmark.worker.transport.NameLookup;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Workers on other machines, started by SSH. One connection to each machine carries the program, then keeps the worker
 * alive, and brings its log as it is written. When the connection ends, the worker ends, and the machine removes
 * everything that it received.
 */
final class SshWorkers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SshWorkers.class);

    /** From the end of the copy, for a JVM on a busy machine. */
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private static final Duration END_LIMIT = Duration.ofSeconds(30);
    private static final Duration CONFIGURATION_LIMIT = Duration.ofSeconds(10);

    /** The exit code of ssh for a connection that failed, rather than a command on the machine. */
    private static final int NO_CONNECTION = 255;

    /** The key file's name on the machine. */
    private static final String KEY = "bench.key";

    /** The last line of output of a machine whose worker has ended. Without it, only the connection is known to have. */
    private static final String ENDED = "(the worker has ended with exit code ";

    private static final long BYTES_PER_MB = 1_000_000;

    /**
     * Runs on the machine. {@code head} takes just the archive from the input; the worker stays until the input ends.
     * The shell outlives the worker to tell how it ended, in a child that may die of a connection that has ended, and to
     * remove the folder, where libraries put their caches, too.
     */
    private static final String SCRIPT = """
            set -e
            folder=$(mktemp -d "$HOME/benchmark-worker-XXXXXX")
            trap 'rm -rf "$folder"' EXIT
            trap 'exit 1' HUP INT TERM
            cd "$folder"
            export XDG_CACHE_HOME="$folder"
            head -c %d >archive
            tar xf archive
            rm archive
            ended=0
            %s bin/benchmark-worker --host %s --port %d --key %s %s || ended=$?
            (echo "%s$ended)") || true
            exit $ended
            """;

    /**
     * The way to the machines.
     *
     * @param client the SSH client with its options, such as {@code ssh -J bastion}
     * @param host the address on which workers listen
     * @param port the port on which they listen
     * @param key the key that coordinator and workers share
     * @param logs the folder for the workers' output and logs
     */
    record Access(List<String> client, String host, int port, Path key, Path logs) {

        /** Returns the machines' names or addresses according to the SSH configuration. */
        private List<String> hosts(List<String> machines) throws IOException, InterruptedException {
            List<String> hosts = new ArrayList<>();
            for (String machine : machines) {
                List<String> command =
                        Stream.concat(client.stream(), Stream.of("-G", machine)).toList();
                String name = ProgramRun.of(new ProcessBuilder(command), "", CONFIGURATION_LIMIT).output().stream()
                        .filter(line -> line.startsWith("hostname "))
                        .map(line -> line.substring("hostname ".length()).strip())
                        .findFirst()
                        .orElse(machine.substring(machine.lastIndexOf('@') + 1));
                hosts.add(name.contains(":") ? "[" + name + "]" : name);
            }
            return hosts;
        }
    }

    private final List<SshWorker> workers = new ArrayList<>();
    private final Consumer<String> console;

    private SshWorkers(Consumer<String> console) {
        this.console = console;
    }

    /**
     * Copies the program to machines and starts a worker on each, all at the same time.
     *
     * @param machines names or addresses as SSH takes them, with a user if needed
     * @param distribution folder with {@code lib/} and {@code drivers/}
     * @param console receives lines for the user, on any thread
     * @throws FleetException that names all machines without a worker, with the reasons
     */
    static SshWorkers start(
            List<String> machines, Path home, Path distribution, Access access, Consumer<String> console)
            throws FleetException, InterruptedException {
        SshWorkers all = new SshWorkers(console);
        List<String> problems = new ArrayList<>();
        boolean complete = false;
        try {
            List<String> hosts = access.hosts(machines);
            problems.addAll(unresolved(machines, hosts, console));
            if (problems.isEmpty()) {
                problems.addAll(all.startEach(machines, hosts, home, distribution, access));
            }
            complete = problems.isEmpty();
        } catch (IOException e) {
            problems.add("benchmark: workers: cannot be started by SSH: " + e.getMessage());
        } finally {
            if (!complete) {
                // A copy in progress would go on if only the input ended.
                all.workers.forEach(SshWorker::disconnect);
                all.close();
            }
        }
        if (!problems.isEmpty()) {
            throw new FleetException(String.join("\n", problems));
        }
        return all;
    }

    /** Looks up the names first: a coordinator needs the addresses, and would find that out after the copy. */
    private static List<String> unresolved(List<String> machines, List<String> hosts, Consumer<String> console)
            throws InterruptedException {
        Map<String, NameLookup> lookups = new HashMap<>();
        // All at the same time: each may take many seconds.
        List<NameLookup> ofHosts = hosts.stream()
                .map(host -> lookups.computeIfAbsent(host, name -> NameLookup.start(name, console)))
                .toList();
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < hosts.size(); i++) {
            String machine = machines.get(i);
            String from = machine.endsWith(hosts.get(i)) ? "" : "; it comes from 'ssh -G " + machine + "'";
            ofHosts.get(i)
                    .problem()
                    .ifPresent(why -> problems.add("benchmark: workers: --ssh: " + machine + ": " + why + from));
        }
        return problems;
    }

    private List<String> startEach(
            List<String> machines, List<String> hosts, Path home, Path distribution, Access access)
            throws IOException, InterruptedException {
        List<String> problems = new ArrayList<>();
        try (Archive archive = Archive.make(home, distribution, access.key())) {
            Files.createDirectories(access.logs());
            console.accept("copying " + (Files.size(archive.file()) / BYTES_PER_MB + 1) + " MB to "
                    + String.join(", ", machines) + " …");
            for (int i = 0; i < machines.size(); i++) {
                workers.add(new SshWorker(i + 1, machines.get(i), hosts.get(i), archive.file(), access));
            }
            for (SshWorker worker : workers) {
                try {
                    worker.awaitReady();
                } catch (IOException e) {
                    problems.add("benchmark: workers: no worker on " + worker.machine() + ": " + e.getMessage());
                }
            }
        }
        return problems;
    }

    /** The workers, in the order of their machines. */
    List<SshWorker> all() {
        return workers;
    }

    /** Ends all workers and waits for their logs; disconnects from a machine that takes longer than half a minute. */
    @Override
    public void close() {
        workers.forEach(SshWorker::end);
        long untilNs = System.nanoTime() + END_LIMIT.toNanos();
        boolean interrupted = false;
        for (SshWorker worker : workers) {
            try {
                if (!worker.awaitEnd(untilNs - System.nanoTime())) {
                    console.accept("the worker on " + worker.machine() + " has not ended within "
                            + END_LIMIT.toSeconds() + " s; it ends after its connection, which was cut");
                }
            } catch (InterruptedException e) {
                interrupted = true;
                worker.disconnect();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What a worker needs, in one file. */
    private record Archive(Path file) implements AutoCloseable {

        static Archive make(Path home, Path distribution, Path key) throws IOException, InterruptedException {
            Archive archive =
                    new Archive(Files.createTempDirectory("benchmark-ssh-").resolve("archive.tar"));
            boolean complete = false;
            try {
                archive.pack(home, distribution, key);
                complete = true;
                return archive;
            } finally {
                if (!complete) {
                    archive.close();
                }
            }
        }

        /** Does not compress, since jars are compressed. */
        private void pack(Path home, Path distribution, Path key) throws IOException, InterruptedException {
            Files.copy(key, key());
            List<String> command = Stream.of(
                            Stream.of("tar", "cf", file.toString()),
                            Stream.of("-C", distribution.toString(), "lib", "drivers"),
                            Stream.of("-C", home.toString()),
                            Stream.of("bin/benchmark-worker", "bin/build", "bin/environment.sh"),
                            Stream.of("-C", String.valueOf(file.getParent()), KEY))
                    .flatMap(part -> part)
                    .toList();
            ProgramRun run = ProgramRun.of(new ProcessBuilder(command), "", START_LIMIT);
            if (!run.succeeded()) {
                throw new IOException("tar failed: " + String.join(" ", run.output()));
            }
        }

        private Path key() {
            return file.resolveSibling(KEY);
        }

        @Override
        public void close() throws IOException {
            Files.deleteIfExists(key());
            Files.deleteIfExists(file);
            Files.deleteIfExists(file.resolveSibling(""));
        }
    }

    /** A worker on a machine. */
    static final class SshWorker {

        private final String machine;
        private final String host;
        private final Access access;
        private final Path log;
        private final StartedWorker process;
        private final CompletableFuture<Void> copied;
        private String url = "";

        /** Set when the worker has ended. */
        private volatile String exitCode = "";

        /** Connects to the machine and starts to copy. */
        private SshWorker(int number, String machine, String host, Path archive, Access access) throws IOException {
            this.machine = machine;
            this.host = host;
            this.access = access;
            this.log = access.logs()
                    .resolve("worker-" + number + "-" + machine.replaceAll("[^A-Za-z0-9.@-]+", "-") + ".log");
            String script = SCRIPT.formatted(
                    Files.size(archive),
                    environment(),
                    quoted(access.host()),
                    access.port(),
                    KEY,
                    StartedWorker.UNTIL_INPUT_ENDS,
                    ENDED);
            // Questions on several connections at the same time could not be told apart.
            List<String> command = Stream.concat(
                            access.client().stream(),
                            Stream.of("-o", "BatchMode=yes", "-o", "ServerAliveInterval=10", machine, script))
                    .toList();
            Files.writeString(log, "");
            this.process = new StartedWorker(new ProcessBuilder(StartedWorker.deaf(command)), this::log);
            this.copied = CompletableFuture.runAsync(() -> copy(archive));
        }

        private void log(String line) {
            if (line.startsWith(ENDED)) {
                exitCode = line.substring(ENDED.length(), line.length() - 1);
            }
            try {
                Files.writeString(log, line + "\n", StandardOpenOption.APPEND);
            } catch (IOException e) {
                LOG.warn("{} cannot be written: {}", log, e.getMessage());
            }
        }

        /** Returns the JVM options of this shell, which apply to the workers, too. */
        private static String environment() {
            return Stream.of("HEAP_OPTS", "JVM_OPTS")
                    .filter(name -> System.getenv(name) != null)
                    .map(name -> name + "=" + quoted(System.getenv(name)))
                    .collect(Collectors.joining(" "));
        }

        private static String quoted(String text) {
            return "'" + text.replace("'", "'\\''") + "'";
        }

        private void copy(Path archive) {
            try {
                OutputStream input = process.process().getOutputStream();
                Files.copy(archive, input);
                input.flush();
            } catch (IOException e) {
                // The connection has ended; its output says why.
            }
        }

        private void awaitReady() throws IOException, InterruptedException {
            try {
                copied.get();
                String listening = process.awaitReady(START_LIMIT)
                        .orElseThrow(() -> new IOException("not ready within " + START_LIMIT.toSeconds() + " s"));
                url = "https://" + host + listening.substring(listening.lastIndexOf(':'));
            } catch (ExecutionException e) {
                throw new IOException(e.getCause());
            } catch (IOException e) {
                Process ssh = process.process();
                boolean connected = !ssh.waitFor(1, TimeUnit.SECONDS) || ssh.exitValue() != NO_CONNECTION;
                throw connected
                        ? e
                        : new IOException(e.getMessage() + "; '" + String.join(" ", access.client()) + " " + machine
                                + " true' must work without a question");
            }
        }

        /** The machine, as the user gave it. */
        String machine() {
            return machine;
        }

        /** The worker's address. */
        String url() {
            return url;
        }

        /** Returns what has ended, the worker or just the connection to it, as a sentence; empty if neither has. */
        Optional<String> ended() throws InterruptedException {
            if (!process.awaitEnd(0)) {
                return Optional.empty();
            }
            return Optional.of((exitCode.isEmpty()
                            ? "the connection to " + machine + " has ended, and its worker ends, too"
                            : "the worker on " + machine + " has ended with exit code " + exitCode)
                    + "; see " + log);
        }

        private void end() {
            process.endInput();
        }

        private void disconnect() {
            process.process().destroy();
        }

        private boolean awaitEnd(long limitNs) throws InterruptedException {
            boolean ended = process.awaitEnd(limitNs);
            if (!ended) {
                disconnect();
            }
            return ended;
        }
    }
}
