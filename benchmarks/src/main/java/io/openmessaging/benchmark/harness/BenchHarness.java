package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Prints what the harness costs beside the bars that it has to keep, medians of several repetitions; in each repetition
 * all variants are measured in turn, so that a drift of the machine meets all of them.
 */
public final class BenchHarness {

    private static final double NS_PER_SECOND = 1e9;
    private static final double NS_PER_US = 1e3;
    private static final int HELP_STARTS = 5;

    private static final String IN_MEMORY = "driver-inmemory/inmemory.yaml";
    private static final String KAFKA_SETTINGS = "acks=all\nlinger.ms=1\nbatch.size=131072\n";

    /** Old data go at once: what a run writes back to the disk, or fills memory with, must not meet the next. */
    private static final Map<String, String> KAFKA_BROKER_SETTINGS = Map.of(
            "log.segment.bytes", "67108864",
            "log.retention.bytes", "268435456",
            "log.retention.check.interval.ms", "1000",
            "file.delete.delay.ms", "100");

    private final Commands commands;
    private final Runs runs;
    private final boolean shortRuns;
    private final int repetitions;
    private final List<Bar> bars = new ArrayList<>();

    private final Bar oneThread =
            bar(Bar.atMost("one producer thread, one consumer, everything on", 150, "ns/message"));
    private final Bar overBareLoop = bar(Bar.atMost("… against the bare loop", 1.5, "×"));
    private final Bar twoThreads = bar(Bar.atLeast("two producer threads against one", 1.7, "×"));
    private final Bar verifiedSmall = bar(Bar.measured("verifyPayloads, 100 B, adds", "ns/message"));
    private final Bar verifiedLarge = bar(Bar.measured("verifyPayloads, 1,000 B, adds", "ns/message"));
    private final Bar allocation = bar(Bar.atMost("allocation in the framework", 40, "B/message"));
    private final Bar delay1k = bar(Bar.atMost("send delay p99 at 1,000 msg/s", 150, "µs"));
    private final Bar cpu1k = bar(Bar.atMost("… processor time of the process", 10, "% of a core"));
    private final Bar delay100k = bar(Bar.atMost("send delay p99 at 100,000 msg/s", 100, "µs"));
    private final Bar watched = bar(Bar.atLeast("one producer thread, what it costs sampled, against not", 0.98, "×"));
    private final Bar watching = bar(Bar.atMost("sampling with one Kafka, its threads", 1, "% of a core"));
    private final Bar measurementHeap = bar(Bar.atMost("heap of the measurement, one thread each", 16, "MiB"));
    private final Bar partitionsHeap = bar(Bar.atMost("audit of 100,000 partitions, in all", 16, "MiB"));
    private final Bar pairHeap = bar(Bar.atMost("10,000 producer–consumer pairs, each", 8, "KiB"));
    private final Bar pairStart = bar(Bar.atMost("… started in", 5, "s"));
    private final Bar help = bar(Bar.atMost("bin/benchmark --help", 0.6, "s"));
    private final Bar kafkaSmall = bar(Bar.atLeast("Kafka, 100 B, against kafka-producer-perf-test", 0.95, "×"));
    private final Bar kafkaLarge = bar(Bar.atLeast("Kafka, 1 KB, against kafka-producer-perf-test", 0.95, "×"));

    private BenchHarness(Commands commands, boolean shortRuns) {
        this.commands = commands;
        this.runs = new Runs(commands, shortRuns);
        this.shortRuns = shortRuns;
        this.repetitions = shortRuns ? 1 : 5;
    }

    private Bar bar(Bar bar) {
        bars.add(bar);
        return bar;
    }

    /**
     * Measures and prints.
     *
     * @param args {@code --short} to see that everything runs: one repetition, not judged
     */
    public static void main(String[] args) throws Exception {
        Path home = Path.of(System.getProperty("benchmark.home")).toAbsolutePath();
        boolean shortRuns = List.of(args).contains("--short");
        if (args.length > (shortRuns ? 1 : 0)) {
            System.err.println("bench-harness: the only option is --short");
            System.exit(2);
        }
        BenchHarness bench;
        try (Commands commands = Commands.begin(home)) {
            bench = new BenchHarness(commands, shortRuns);
            bench.measure();
        }
        System.out.println(Bar.table(bench.bars, bench.repetitions));
        System.exit(shortRuns || bench.bars.stream().allMatch(Bar::isMet) ? 0 : 1);
    }

    private void measure() throws IOException, InterruptedException, LocalBrokerException {
        for (int i = 1; i <= repetitions; i++) {
            System.err.printf("repetition %d of %d%n", i, repetitions);
            rates();
            delays();
            watching.add(100 * runs.coresForWatching("driver-kafka/kafka.yaml"));
            heap();
            help();
        }
        kafka();
    }

    private JsonNode inMemory(int topics, String rate, int warmupS, int testS)
            throws IOException, InterruptedException {
        return runs.ofFile(IN_MEMORY, topics, 100, rate, warmupS, testS);
    }

    private void rates() throws IOException, InterruptedException {
        double one = Runs.published(inMemory(1, "unlimited", 2, 3));
        double unwatched = Runs.published(runs.with("resourcePeriod: 0s", IN_MEMORY, 100));
        double bareLoopNs = jmh("BareLoop.message", "");
        double two = Runs.published(inMemory(2, "unlimited", 2, 3));
        oneThread.add(NS_PER_SECOND / one);
        overBareLoop.add(NS_PER_SECOND / one / bareLoopNs);
        twoThreads.add(two / one);
        watched.add(one / unwatched);
        double oneLarge = Runs.published(runs.ofFile(IN_MEMORY, 1, 1000, "unlimited", 2, 3));
        verifiedSmall.add(verifiedNs(100) - NS_PER_SECOND / one);
        verifiedLarge.add(verifiedNs(1000) - NS_PER_SECOND / oneLarge);
        // Objects have whole bytes; what is beyond is what JMH itself has allocated meanwhile.
        allocation.add(Math.round(jmh("WholePath.send", "gc.alloc.rate.norm")));
    }

    private double verifiedNs(int messageSize) throws IOException, InterruptedException {
        return NS_PER_SECOND / Runs.published(runs.with("verifyPayloads: true", IN_MEMORY, messageSize));
    }

    /** The score of a JMH benchmark, or of a secondary result of it. */
    private double jmh(String benchmark, String secondary) throws IOException, InterruptedException {
        String time = shortRuns ? "200ms" : "1s";
        String printed = commands.java(
                "-cp %s org.openjdk.jmh.Main %s -f 1 -wi 2 -i 3 -w %s -r %s -prof gc",
                System.getProperty("java.class.path"), benchmark, time, time);
        // A line of the final table: name, mode, count, score; secondary ones have the name of the measure behind a
        // colon.
        String name = secondary.isEmpty() ? benchmark : benchmark + ":" + secondary;
        return Commands.lastNumber(printed, "(?m)^" + name.replace(".", "\\.") + "\\s+avgt\\s+\\d+\\s+([0-9.]+)");
    }

    private void delays() throws IOException, InterruptedException {
        JsonNode slow = inMemory(1, "1000", 3, 5);
        delay1k.add(Runs.percentileNs(slow, "sendDelay", "99") / NS_PER_US);
        cpu1k.add(100 * slow.path("harness").path("usedProcessors").asDouble());
        JsonNode fast = inMemory(1, "100000", 3, 5);
        delay100k.add(Runs.percentileNs(fast, "sendDelay", "99") / NS_PER_US);
    }

    private void heap() throws IOException, InterruptedException {
        String printed = commands.java("-cp %s %s", System.getProperty("java.class.path"), HeapUse.class.getName());
        measurementHeap.add(Commands.lastNumber(printed, "measurement-bytes (\\d+)") / (1 << 20));
        partitionsHeap.add(Commands.lastNumber(printed, "partitions-bytes (\\d+)") / (1 << 20));
        pairHeap.add(Commands.lastNumber(printed, "pair-bytes (\\d+)") / (1 << 10));
        pairStart.add(Commands.lastNumber(printed, "start-seconds ([0-9.]+)"));
    }

    private void help() throws IOException, InterruptedException {
        for (int i = 0; i < HELP_STARTS; i++) {
            long startNs = System.nanoTime();
            commands.bin(List.of(0), "benchmark --help");
            help.add((System.nanoTime() - startNs) / NS_PER_SECOND);
        }
    }

    /** The same settings, broker and sizes for both, in turn, so that the broker's state and the disk meet both. */
    private void kafka() throws IOException, InterruptedException, LocalBrokerException {
        Path home = commands.home();
        String toolPath = LocalSystems.tool(home, "kafka-tools.pom.xml");
        for (int i = 1; i <= repetitions; i++) {
            System.err.printf("Kafka, repetition %d of %d%n", i, repetitions);
            // A new one each time: what one under full load leaves undeleted would fill the memory.
            try (RunningBroker broker = LocalSystems.start(home, "kafka", KAFKA_BROKER_SETTINGS)) {
                String address = broker.addresses().get(0);
                kafkaSmall.add(ours(address, 100) / theirs(toolPath, address, 100, 10_000_000));
                kafkaLarge.add(ours(address, 1000) / theirs(toolPath, address, 1000, 2_000_000));
            }
        }
    }

    private double ours(String address, int messageSize) throws IOException, InterruptedException {
        String driver = """
                name: Kafka
                driverClass: io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver
                replicationFactor: 1
                commonConfig: bootstrap.servers=%s
                producerConfig: |
                """.formatted(address) + KAFKA_SETTINGS.indent(2);
        return Runs.published(runs.unlimited(driver, messageSize, 0, 5, 6));
    }

    private double theirs(String classPath, String address, int messageSize, int records)
            throws IOException, InterruptedException {
        int count = runs.count(records);
        String printed =
                commands.java("""
                -cp %s org.apache.kafka.tools.ProducerPerformance --topic perf-%s --num-records %s --warmup-records %s
                --record-size %s --throughput -1 --producer-props bootstrap.servers=%s
                """ + KAFKA_SETTINGS, classPath, messageSize, count, count / 2, messageSize, address);
        return Commands.lastNumber(printed, "([0-9.]+) records/sec");
    }
}
