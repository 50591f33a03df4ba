package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.audit.ConsumerAudit;
import io.openmessaging.benchmark.audit.SubscriptionAudit;
import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DriverSettings;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.inmemory.InMemoryBenchmarkDriver;
import io.openmessaging.benchmark.driver.inmemory.InMemoryConfig;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.measure.Measurements;
import io.openmessaging.benchmark.measure.PublishStats;
import io.openmessaging.benchmark.worker.LoadedDriver;
import io.openmessaging.benchmark.worker.LocalWorker;
import io.openmessaging.benchmark.worker.Topology;
import io.openmessaging.benchmark.worker.WorkerPlan;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongConsumer;

/** A process that measures, after garbage collections, what the framework keeps on the heap, and prints it. */
final class HeapUse {

    private static final int COLLECTIONS = 4;
    private static final int PAIRS = 10_000;
    private static final int PARTITIONS = 100_000;
    private static final int MESSAGES_PER_PARTITION = 100;

    /** Latencies from 1 µs to 100 ms, as a real system has. */
    private static final long FIRST_NS = 1_000;

    private static final long LAST_NS = 100_000_000;

    private HeapUse() {}

    /** Prints {@code measurement-bytes N}, {@code partitions-bytes N}, {@code pair-bytes N}, {@code start-seconds N}. */
    public static void main(String[] args) throws Exception {
        System.out.println("measurement-bytes " + ofMeasurement());
        System.out.println("partitions-bytes " + ofPartitions());
        ofPairs();
    }

    private static long usedBytes() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** One sending thread, one thread that acknowledges, one that receives, two samples taken. */
    private static long ofMeasurement() throws InterruptedException {
        EpochClock clock = new EpochClock();
        use(clock);
        long before = usedBytes();
        Measurements measurements = use(clock);
        long after = usedBytes();
        Reference.reachabilityFence(measurements);
        return after - before;
    }

    private static Measurements use(EpochClock clock) throws InterruptedException {
        Measurements measurements = new Measurements(clock, 1);
        PublishStats stats = measurements.newPublisher();
        for (int sample = 0; sample < 2; sample++) {
            long nowNs = clock.getAsLong();
            on("sends", () -> forEachLatency(ns -> stats.sent(nowNs - ns, nowNs)));
            on("acknowledges", () -> forEachLatency(ns -> measurements.acknowledged(nowNs - 2 * ns, nowNs - ns)));
            on("receives", () -> forEachLatency(ns -> measurements.received(0, nowNs, nowNs - 2 * ns, nowNs - ns)));
            measurements.sample();
        }
        return measurements;
    }

    private static void on(String name, Runnable task) throws InterruptedException {
        Thread thread = new Thread(task, name);
        thread.start();
        thread.join();
    }

    private static void forEachLatency(LongConsumer record) {
        for (long ns = FIRST_NS; ns < LAST_NS; ns += 1 + ns / 1000) {
            record.accept(ns);
        }
    }

    /**
     * The audit of one topic of very many partitions, while its messages arrive: one producer whose messages go to the
     * partitions in turn, as they do without a key; one consumer that gets each partition's in order but the partitions
     * in bursts, as a fetch brings them.
     */
    private static long ofPartitions() {
        long before = usedBytes();
        SubscriptionAudit subscription = new SubscriptionAudit("heapuse", 0);
        ConsumerAudit audit = new ConsumerAudit(subscription, 0, 1, PARTITIONS);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            for (int i = 0; i < MESSAGES_PER_PARTITION; i++) {
                audit.note(0, (long) i * PARTITIONS + partition, partition);
            }
        }
        long after = usedBytes();
        Reference.reachabilityFence(audit);
        Reference.reachabilityFence(subscription);
        return after - before;
    }

    /** Topics with a producer and a consumer each. */
    private static void ofPairs() throws ConfigException, DriverException, InterruptedException {
        InMemoryBenchmarkDriver driver = new InMemoryBenchmarkDriver();
        DriverSettings settings =
                new DriverSettings(Path.of("in-memory"), driver.getClass().getName(), Mapping.empty());
        LoadedDriver<InMemoryConfig> loaded =
                new LoadedDriver<>(settings, driver, InMemoryConfig.of(InMemoryConfig.Delivery.DIRECT));
        long before = usedBytes();
        long startNs = System.nanoTime();
        LocalWorker worker = new LocalWorker(loaded, new EpochClock());
        Topology topology = Topology.of("heapuse", PAIRS, 1, 1, 1, 1);
        worker.connect(new WorkerPlan("heapuse", 1, topology, MessageHeader.Layout.FULL, Duration.ofSeconds(60)));
        worker.createTopics(topology.topics());
        worker.createConsumers(topology.consumers());
        worker.createProducers(topology.producers());
        System.out.println("start-seconds " + (System.nanoTime() - startNs) / 1e9);
        System.out.println("pair-bytes " + (usedBytes() - before) / PAIRS);
        worker.close();
    }
}
