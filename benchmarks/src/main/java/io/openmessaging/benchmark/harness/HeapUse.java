package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.audit.ConsumerAudit;
import io.openmessaging.benchmark.audit.SubscriptionAudit;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.inmemory.InMemoryBenchmarkDriver;
import io.openmessaging.benchmark.driver.inmemory.InMemoryConfig;
import io.openmessaging.benchmark.load.ArrivalProcess;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.PayloadSpec;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.measure.Measurements;
import io.openmessaging.benchmark.measure.PublishStats;
import io.openmessaging.benchmark.worker.DriverControl;
import io.openmessaging.benchmark.worker.LoadedDriver;
import io.openmessaging.benchmark.worker.LocalWorker;
import io.openmessaging.benchmark.worker.protocol.ClientOptions;
import io.openmessaging.benchmark.worker.protocol.DriverDescription;
import io.openmessaging.benchmark.worker.protocol.MessagePlan;
import io.openmessaging.benchmark.worker.protocol.Placement;
import io.openmessaging.benchmark.worker.protocol.RunDescription;
import io.openmessaging.benchmark.worker.protocol.Topology;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** A process that measures and prints how much heap the framework retains after garbage collections. */
final class HeapUse {

    private static final int COLLECTIONS = 4;
    private static final int PAIRS = 10_000;
    private static final int PARTITIONS = 100_000;
    private static final int MESSAGES_PER_PARTITION = 100;

    /** Latencies from 1 µs to 100 ms, as in a real system. */
    private static final long FIRST_NS = 1_000;

    private static final long LAST_NS = 100_000_000;

    private HeapUse() {}

    /**
     * Prints {@code measurement-bytes N}, {@code partitions-bytes N}, {@code pair-bytes N}, {@code start-seconds N}.
     */
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

    /** Measures one sending thread, one that acknowledges and one that receives, with two samples. */
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
            on("sends", () -> forEachLatency(ns -> stats.sent(100, nowNs - ns, nowNs)));
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
     * Measures the audit of one topic with very many partitions while messages arrive. One producer sends to the
     * partitions in turn, as without a key. One consumer receives each partition's messages in order, but a burst from
     * each partition at a time, as a fetch returns them.
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

    /** Measures topics with a producer and a consumer each. */
    private static void ofPairs() throws DriverException, InterruptedException {
        InMemoryBenchmarkDriver driver = new InMemoryBenchmarkDriver();
        DriverDescription description = new DriverDescription(
                "in-memory", driver.getClass().getName(), "{delivery: DIRECT}", List.of(), Map.of());
        LoadedDriver<InMemoryConfig> loaded =
                new LoadedDriver<>(description, driver, InMemoryConfig.of(InMemoryConfig.Delivery.DIRECT));
        long before = usedBytes();
        long startNs = System.nanoTime();
        Topology topology = new Topology("heapuse", PAIRS, 1, 1, 1, 1);
        DriverControl control = new DriverControl(loaded);
        control.connect(topology.runId(), Duration.ofSeconds(60), what -> {});
        control.createTopics(topology.topics());
        LocalWorker worker = new LocalWorker(any -> loaded, new EpochClock());
        worker.prepare(new Worker.Prepare(
                new RunDescription(
                        description,
                        topology,
                        new MessagePlan(
                                MessageHeader.Layout.FULL,
                                PayloadSpec.text(100),
                                KeyDistribution.NO_KEY,
                                ArrivalProcess.CONSTANT),
                        ClientOptions.plain(Duration.ofSeconds(60)),
                        new Seed(0),
                        Duration.ZERO,
                        Placement.alone()),
                1,
                1));
        System.out.println("start-seconds " + (System.nanoTime() - startNs) / 1e9);
        System.out.println("pair-bytes " + (usedBytes() - before) / PAIRS);
        worker.close();
        control.close();
    }
}
