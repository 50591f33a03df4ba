package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Workers that OpenSSH starts, on machines with an SSH server and a home of their own. */
@Execution(ExecutionMode.SAME_THREAD)
@LongSuite("starts an SSH server and a worker on each of two machines, and a Kafka")
class SshMachinesIT extends WithBenchmark {

    /** A server must be started by its whole path. */
    private static final String SERVER = "/usr/sbin/sshd";

    private static final int MESSAGES = 1_200;

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final List<Machines.Machine> ofWorkers = new ArrayList<>();

    @BeforeEach
    void startServers() throws Exception {
        String missing = Machines.missing();
        Assumptions.assumeTrue(missing.isEmpty(), missing);
        Assumptions.assumeTrue(Files.isExecutable(Path.of(SERVER)), "there is no " + SERVER);
        Machines machines = new Machines();
        started.push(machines);
        ofWorkers.addAll(List.of(machines.add(), machines.add()));
        newKey("host");
        newKey("user");
        newKey("strange");
        KafkaMachine kafka = KafkaMachine.start(folder, machines.add());
        started.push(kafka);
        benchmark.file("kafka.yaml", kafka.driver());
        benchmark.file(
                "known",
                ofWorkers.stream()
                        .map(machine -> machine.address() + " ")
                        .map(this::withHostKey)
                        .collect(Collectors.joining()));
        benchmark.file("sshd", """
                HostKey %1$s/host
                AuthorizedKeysFile %1$s/user.pub
                StrictModes no
                UsePAM no
                PidFile none
                SetEnv JAVA_HOME=%2$s
                """.formatted(folder, System.getProperty("java.home")));
        benchmark.file("client", """
                Host *
                  User root
                  IdentitiesOnly yes
                  UserKnownHostsFile %1$s/known
                Host one
                  HostName %2$s
                  IdentityFile %1$s/user
                Host two
                  HostName %3$s
                  IdentityFile %1$s/user
                Host locked
                  HostName %3$s
                  IdentityFile %1$s/strange
                """.formatted(
                        folder, ofWorkers.get(0).address(), ofWorkers.get(1).address()));
        for (Machines.Machine machine : ofWorkers) {
            Process server =
                    onMachine(machine, "sshd-" + machine.name(), """
                    mount -t tmpfs tmpfs /run && mkdir /run/sshd && mount -t tmpfs tmpfs "$HOME" && exec %s -D -e -f %s
                    """.formatted(SERVER, folder.resolve("sshd")));
            started.push(server::destroy);
            Waiting.until(
                    "a server listens",
                    () -> Files.readString(folder.resolve("sshd-" + machine.name()))
                            .contains("Server listening"));
        }
    }

    private String withHostKey(String address) {
        try {
            return address + Files.readString(folder.resolve("host.pub"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void newKey(String name) throws IOException, InterruptedException {
        Process made = new ProcessBuilder("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", name)
                .directory(folder.toFile())
                .start();
        assertThat(Patience.exitCode("ssh-keygen", made)).isZero();
    }

    /** Starts a shell on a machine; its output goes to a file. A machine's mounts are its own. */
    private Process onMachine(Machines.Machine machine, String output, String script) throws IOException {
        return new ProcessBuilder(machine.command(List.of("sh", "-c", script)))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(output).toFile())
                .start();
    }

    @AfterEach
    void takeDown() throws Exception {
        while (!started.isEmpty()) {
            started.pop().close();
        }
    }

    private String client() {
        return "ssh -F " + folder.resolve("client");
    }

    private Process startWorkers(String machines) throws IOException {
        return benchmark.start(
                ofWorkers.get(0).command(List.of()),
                "bin/benchmark",
                "",
                "workers",
                "start",
                "--ssh",
                machines,
                "--ssh-command",
                client(),
                "--host",
                "0.0.0.0");
    }

    /** The names of what is in a machine's home. */
    private String home(String name) throws IOException, InterruptedException {
        List<String> command = Stream.concat(Stream.of(client().split(" ")), Stream.of(name, "ls", "-A", "."))
                .toList();
        Process process = onMachine(ofWorkers.get(0), "home", String.join(" ", command));
        assertThat(Patience.exitCode("ssh", process))
                .as(Files.readString(folder.resolve("home")))
                .isZero();
        return Files.readString(folder.resolve("home"));
    }

    private void assertShareALoad(String urls) throws Exception {
        benchmark.file("workload.yaml", """
                topics: 2
                partitionsPerTopic: 1
                messageSize: 1024
                subscriptionsPerTopic: 1
                consumerPerSubscription: 1
                producersPerTopic: 1
                producerRate: 400
                warmupDuration: 0s
                messageCount: %d
                samplePeriod: 1s
                """.formatted(MESSAGES));
        Benchmark.Outcome outcome = benchmark.runOnWorkers(ofWorkers.get(0).command(List.of()), urls, "kafka.yaml");
        benchmark.assertAllArrived(MESSAGES, outcome);
        assertThat(benchmark.result().path("workers")).hasSize(2);
    }

    @Test
    void workersShareALoadAndLeaveNothing() throws Exception {
        Process workers = startWorkers("one,two");
        benchmark.awaitPrinted(workers, "ready;");
        assertThat(home("two")).contains("benchmark-worker-");
        Matcher urls = Pattern.compile("--workers (\\S+)").matcher(benchmark.printed());
        assertThat(urls.find()).isTrue();

        assertShareALoad(urls.group(1));

        Benchmark.signal("INT", workers.pid());
        Benchmark.Outcome ended = benchmark.await(workers);
        assertThat(ended.exitCode()).as(ended.all()).isZero();
        assertThat(ended.out()).containsPattern("copying \\d{2,3} MB to one, two …");
        assertThat(ended.err()).contains("stopping: the workers end, their logs are brought, their files are removed");
        assertThat(benchmark.workerLog("worker-2-two.log"))
                .contains("Claimed for a run of", "the worker has ended with exit code 0");
        assertThat(home("one")).isEmpty();
        assertThat(home("two")).isEmpty();
    }

    @Test
    void workersEndWithTheConnectionOfAKilledStarter() throws Exception {
        Process workers = startWorkers("one,two");
        benchmark.awaitPrinted(workers, "ready;");

        workers.destroyForcibly();

        Waiting.until("the machines have removed what they received", () -> (home("one") + home("two")).isEmpty());
    }

    @Test
    void aConnectionThatEndsIsToldFromAWorkerAndItsLogIsHere() throws Exception {
        Process workers = startWorkers("one");
        benchmark.awaitPrinted(workers, "ready;");
        for (ProcessHandle client : benchmark.processes("BatchMode=yes")) {
            client.destroyForcibly();
        }

        Benchmark.Outcome ended = benchmark.await(workers);
        assertThat(ended.exitCode()).as(ended.all()).isEqualTo(1);
        assertThat(ended.err()).contains("the connection to one has ended, and its worker ends, too; see ");
        assertThat(benchmark.workerLog("worker-1-one.log"))
                .contains("Claimed for a run of")
                .doesNotContain("the worker has ended");
        Waiting.until(
                "the machine has removed what it received", () -> home("one").isEmpty());
    }

    @Test
    void aMachineThatRefusesTheLoginIsNamedAndTheOtherLeftEmpty() throws Exception {
        Benchmark.Outcome outcome = benchmark.await(startWorkers("one,locked"));

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
        assertThat(outcome.err())
                .contains("no worker on locked: ", "Permission denied", client() + " locked true")
                .doesNotContain("\tat ");
        assertThat(home("one")).isEmpty();
    }
}
