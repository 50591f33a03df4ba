package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.program.ProgramPath;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.timing.Timing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/**
 * Runs on machines that reach one another only by a network: a broker, a coordinator, three workers with a key. In
 * truth all have one monotonic clock, so that any reported difference between their clocks is an error.
 */
@Execution(ExecutionMode.SAME_THREAD)
class SeparateMachinesIT extends WithBenchmark {

    private static final String PORT = "8080";
    private static final String KEY = "bench.key";
    private static final int DELAY_MS = 20;

    /** Half of a one-way delay cannot be told apart from clocks that differ by it. */
    private static final long LEAST_DELAYED_BOUND_NS = 10_000_000;

    /** A clock takes its time of day once, when its process starts; the error of that reading is less than this. */
    private static final long READING_NS = 1_000_000;

    /** Fraction of the median from which a bound is reported, plus a small margin. */
    private static final double WORTH_TELLING = 0.11;

    private static final double NS_PER_MS = 1e6;
    private static final int WORKERS = 3;
    private static final int MESSAGES = 2_400;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    static Path sharedFolder;

    private static final Deque<AutoCloseable> SHARED = new ArrayDeque<>();
    private static final List<Machines.Machine> OF_WORKERS = new ArrayList<>();
    private static final List<Machines.Machine> OTHERS = new ArrayList<>();

    private final Deque<AutoCloseable> started = new ArrayDeque<>();

    @BeforeAll
    static void connectMachines() throws Exception {
        String missing = Machines.missing();
        Assumptions.assumeTrue(missing.isEmpty(), missing);
        Machines machines = new Machines();
        SHARED.push(machines);
        for (int i = 0; i < WORKERS; i++) {
            OF_WORKERS.add(machines.add());
            OTHERS.add(machines.add());
        }
        KafkaMachine kafka = KafkaMachine.start(sharedFolder, machines.add());
        SHARED.push(kafka);
        Files.writeString(sharedFolder.resolve("kafka.yaml"), kafka.driver());
    }

    @AfterAll
    static void takeDown() throws Exception {
        closeAll(SHARED);
        OF_WORKERS.clear();
        OTHERS.clear();
    }

    @BeforeEach
    void startWorkers() throws Exception {
        Process made = benchmark.start(List.of(), "bin/benchmark-worker", "key-", "--new-key", KEY);
        Benchmark.Outcome outcome = benchmark.await(made, "key-");
        assertThat(outcome.exitCode()).as(outcome.all()).isZero();
        for (int i = 0; i < WORKERS; i++) {
            Machines.Machine machine = OF_WORKERS.get(i);
            started.push(WorkerProcess.start(
                    benchmark,
                    machine.command(List.of()),
                    "worker" + i,
                    "--host",
                    machine.address(),
                    "--port",
                    PORT,
                    "--key",
                    KEY));
        }
    }

    @AfterEach
    void stopWorkers() throws Exception {
        closeAll(started);
    }

    private static void closeAll(Deque<AutoCloseable> started) throws Exception {
        while (!started.isEmpty()) {
            started.pop().close();
        }
    }

    /** Executes a run on the coordinator's machine, with workers at these addresses; nothing may be lost. */
    private Benchmark.Outcome run(List<String> addresses) throws IOException, InterruptedException {
        // All share one topic, so that messages go from each worker to each.
        benchmark.file("workload.yaml", """
                topics: 1
                partitionsPerTopic: 3
                messageSize: 1024
                subscriptionsPerTopic: 1
                consumerPerSubscription: 3
                producersPerTopic: 3
                producerRate: 600
                warmupDuration: 0s
                messageCount: %d
                samplePeriod: 1s
                """.formatted(MESSAGES));
        String urls = String.join(
                ",",
                addresses.stream()
                        .map(address -> "https://" + address + ":" + PORT)
                        .toList());
        Benchmark.Outcome outcome = benchmark.runOnWorkers(
                OTHERS.get(0).command(List.of()),
                urls,
                sharedFolder.resolve("kafka.yaml").toString());
        benchmark.assertAllArrived(MESSAGES, outcome);
        assertThat(benchmark.result().path("clocks").path("impossibleSamples").asLong(-1))
                .as(outcome.all())
                .isZero();
        return outcome;
    }

    /** The reported distance of the clock from the coordinator's is 0, within the bound reported with it. */
    private static void assertTrue(JsonNode clock) {
        assertThat(Math.abs(clock.path("aheadNs").asLong(Long.MAX_VALUE)))
                .as(clock.toString())
                .isLessThanOrEqualTo(clock.path("boundNs").asLong() + READING_NS);
    }

    private static List<String> namesOf(JsonNode object) {
        return List.copyOf(object.propertyNames());
    }

    @Test
    @LongSuite("starts five processes on seven machines of its own")
    void workersOnMachinesOfTheirOwnAreOneLoad() throws Exception {
        Benchmark.Outcome outcome =
                run(OF_WORKERS.stream().map(Machines.Machine::address).toList());

        JsonNode result = benchmark.result();
        assertThat(result.path("workers").size()).isEqualTo(WORKERS);
        for (JsonNode worker : result.path("workers")) {
            JsonNode clock = worker.path("clock");
            assertThat(worker.path("producers").asInt()).isEqualTo(1);
            assertThat(worker.path("consumers").asInt()).isEqualTo(1);
            assertThat(namesOf(clock.path("answered"))).as(clock.toString()).contains("UDP");
            assertThat(clock.path("medianBoundNs").asLong())
                    .as(clock.toString())
                    .isPositive();
            assertThat(clock.path("breaks").isEmpty()).as(clock.toString()).isTrue();
        }
        assertThat(outcome.out()).contains("clocks        within ± ");
    }

    @Test
    @Timing(toleranceMs = 10)
    void aRoadThatIsSlowOneWayLoosensClocksAndOneWithoutUdpDoesNotHideThem() throws Exception {
        started.push(relay(OTHERS.get(1), OF_WORKERS.get(1), true));
        started.push(relay(OTHERS.get(2), OF_WORKERS.get(2), false));

        Benchmark.Outcome outcome = run(List.of(
                OF_WORKERS.get(0).address(),
                OTHERS.get(1).address(),
                OTHERS.get(2).address()));

        JsonNode result = benchmark.result();
        JsonNode slow = result.path("workers").path(1).path("clock");
        assertThat(slow.path("boundNs").asLong()).as(slow.toString()).isGreaterThanOrEqualTo(LEAST_DELAYED_BOUND_NS);
        assertTrue(slow);
        JsonNode withoutUdp = result.path("workers").path(2).path("clock");
        assertThat(namesOf(withoutUdp.path("answered")))
                .as(withoutUdp.toString())
                .containsExactly("HTTP");
        assertTrue(withoutUdp);
        JsonNode undelayed = result.path("workers").path(0).path("clock");
        assertThat(undelayed.path("medianBoundNs").asLong())
                .as(undelayed.toString())
                .isPositive()
                .isLessThan(LEAST_DELAYED_BOUND_NS);
        assertTrue(undelayed);
        long boundNs = result.path("clocks").path("boundNs").asLong();
        assertThat(boundNs).as(outcome.all()).isGreaterThanOrEqualTo(LEAST_DELAYED_BOUND_NS);
        // On a machine without any time to spare, messages take longer than ten times the bound.
        double medianNs = result.path("aggregatedEndToEndLatency50pct").asDouble() * NS_PER_MS;
        if (boundNs > WORTH_TELLING * medianNs) {
            assertThat(result.path("findings").toString())
                    .as(outcome.all())
                    .containsAnyOf("\"EndToEndWithheld\"", "\"ClocksLoose\"");
        }
    }

    /** Starts a relay on another machine: traffic to the worker is delayed, traffic back is not. */
    private AutoCloseable relay(Machines.Machine here, Machines.Machine worker, boolean udp) throws Exception {
        Path classes = ProgramPath.ofClass(Relay.class);
        Path out = folder.resolve("relay-" + here.name());
        Process process = new ProcessBuilder(here.command(List.of(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Xmx64m",
                        "-cp",
                        classes.toString(),
                        Relay.class.getName(),
                        here.address(),
                        PORT,
                        worker.address(),
                        Integer.toString(udp ? DELAY_MS : 0),
                        Boolean.toString(udp))))
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        Waiting.until("the relay is ready", () -> Files.readString(out).contains("ready"));
        return process::destroy;
    }
}
