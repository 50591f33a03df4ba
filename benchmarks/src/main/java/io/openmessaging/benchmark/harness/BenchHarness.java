package io.openmessaging.benchmark.harness;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** Measures the cost of the harness. */
public final class BenchHarness extends Bench {

    private static final double NS_PER_US = 1e3;
    private static final int HELP_STARTS = 5;

    private static final String IN_MEMORY = "driver-inmemory/inmemory.yaml";

    private final Bar oneThread = atMost("one producer thread, one consumer, everything on", 150, "ns/message");
    private final Bar overBareLoop = atMost("… against the bare loop", 1.5, "×");
    private final Bar twoThreads = atLeast("two producer threads against one", 1.7, "×");
    private final Bar verifiedSmall = measured("verifyPayloads, 100 B, adds", "ns/message");
    private final Bar verifiedLarge = measured("verifyPayloads, 1,000 B, adds", "ns/message");
    private final Bar allocation = atMost("allocation in the framework", 40, "B/message");
    private final Bar delay1k = atMost("send delay p99 at 1,000 msg/s", 150, "µs");
    private final Bar cpu1k = atMost("… processor time of the process", 10, "% of a core");
    private final Bar delay100k = atMost("send delay p99 at 100,000 msg/s", 100, "µs");
    private final Bar watched = atLeast("one producer thread, with resources sampled, against without", 0.98, "×");
    private final Bar watching = atMost("sampling with one Kafka, its threads", 1, "% of a core");
    private final Bar measurementHeap = atMost("heap of the measurement, one thread each", 16, "MiB");
    private final Bar partitionsHeap = atMost("audit of 100,000 partitions, in all", 16, "MiB");
    private final Bar pairHeap = atMost("10,000 producer–consumer pairs, each", 8, "KiB");
    private final Bar pairStart = atMost("… started in", 5, "s");
    private final Bar help = atMost("bin/benchmark --help", 0.6, "s");

    private BenchHarness(BenchRuns runs) {
        super(runs, "harness");
    }

    /** See {@link Bench#run}. */
    public static void main(String[] args) throws Exception {
        Bench.run("bench-harness", args, runs -> List.of(new BenchHarness(runs), new KafkaComparison(runs)));
    }

    @Override
    void measure(int repetitions) throws Exception {
        for (int i = 1; i <= repetitions; i++) {
            System.err.printf("repetition %d of %d%n", i, repetitions);
            rates();
            delays();
            watching.add(100 * runs.coresForWatching("driver-kafka/kafka.yaml"));
            heap();
            help();
        }
    }

    private void rates() throws Exception {
        double one = runs.published(IN_MEMORY);
        double unwatched = runs.published(IN_MEMORY, "resourcePeriod: 0s");
        double bareLoopNs = jmh("BareLoop.message", "");
        double two = runs.published(IN_MEMORY, "topics: 2");
        oneThread.add(1e9 / one);
        overBareLoop.add(1e9 / one / bareLoopNs);
        twoThreads.add(two / one);
        watched.add(one / unwatched);
        double oneLarge = runs.published(IN_MEMORY, "messageSize: 1000");
        verifiedSmall.add(verifiedNs(100) - 1e9 / one);
        verifiedLarge.add(verifiedNs(1000) - 1e9 / oneLarge);
        // Objects have whole bytes; a fraction is what JMH itself has allocated meanwhile.
        allocation.add(Math.round(jmh("WholePath.send", "gc.alloc.rate.norm")));
    }

    private double verifiedNs(int messageSize) throws Exception {
        return 1e9 / runs.published(IN_MEMORY, "verifyPayloads: true", "messageSize: " + messageSize);
    }

    /** Returns the score of a JMH benchmark, or of one of its secondary results. */
    private double jmh(String benchmark, String secondary) throws Exception {
        String time = runs.shortRuns() ? "200ms" : "1s";
        String printed = runs.commands()
                .java(
                        "-cp %s org.openjdk.jmh.Main %s -f 1 -wi 2 -i 3 -w %s -r %s -prof gc",
                        System.getProperty("java.class.path"), benchmark, time, time);
        // A line of the final table: name, mode, count, score; for a secondary result, the name is followed by a colon
        // and the name of the measure.
        String name = secondary.isEmpty() ? benchmark : benchmark + ":" + secondary;
        return Commands.lastNumber(printed, "(?m)^" + name.replace(".", "\\.") + "\\s+avgt\\s+\\d+\\s+([0-9.]+)");
    }

    private void delays() throws Exception {
        JsonNode slow = runs.run(IN_MEMORY, "producerRate: 1000", "warmupDuration: 3s", "testDuration: 5s");
        delay1k.add(BenchRuns.percentileNs(slow, "sendDelay", "99") / NS_PER_US);
        cpu1k.add(100 * slow.path("harness").path("usedProcessors").asDouble());
        JsonNode fast = runs.run(IN_MEMORY, "producerRate: 100000", "warmupDuration: 3s", "testDuration: 5s");
        delay100k.add(BenchRuns.percentileNs(fast, "sendDelay", "99") / NS_PER_US);
    }

    private void heap() throws Exception {
        String printed =
                runs.commands().java("-cp %s %s", System.getProperty("java.class.path"), HeapUse.class.getName());
        measurementHeap.add(Commands.lastNumber(printed, "measurement-bytes (\\d+)") / (1 << 20));
        partitionsHeap.add(Commands.lastNumber(printed, "partitions-bytes (\\d+)") / (1 << 20));
        pairHeap.add(Commands.lastNumber(printed, "pair-bytes (\\d+)") / (1 << 10));
        pairStart.add(Commands.lastNumber(printed, "start-seconds ([0-9.]+)"));
    }

    private void help() throws Exception {
        for (int i = 0; i < HELP_STARTS; i++) {
            long startNs = System.nanoTime();
            runs.commands().startBin(0, "benchmark --help").awaitEnd();
            help.add((System.nanoTime() - startNs) / 1e9);
        }
    }
}
