package io.openmessaging.benchmark.result;

import io.openmessaging.benchmark.audit.AuditFixture;
import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.clock.Chrony;
import io.openmessaging.benchmark.clock.ClockBreak;
import io.openmessaging.benchmark.clock.ClockReport;
import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.limits.Enforcement;
import io.openmessaging.benchmark.limits.Mechanism;
import io.openmessaging.benchmark.limits.ProcessLimit;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.measure.CollectorWork;
import io.openmessaging.benchmark.measure.CompressedPeriod;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.FigureUse;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.resources.ResourceUse;
import io.openmessaging.benchmark.result.RunResult.Broker;
import io.openmessaging.benchmark.result.RunResult.Driver;
import io.openmessaging.benchmark.result.RunResult.Phase;
import io.openmessaging.benchmark.result.RunResult.Search;
import io.openmessaging.benchmark.result.RunResult.SearchStep;
import io.openmessaging.benchmark.worker.protocol.WorkerHost;
import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Made-up results for tests, the same in every process. */
public final class ResultFixture {

    /** 2026-11-21T10:15:30.123456789Z. */
    public static final long BEGIN_NS =
            TimeUnit.SECONDS.toNanos(Instant.parse("2026-11-21T10:15:30Z").getEpochSecond()) + 123_456_789;

    private static final long SECOND_NS = 1_000_000_000L;
    private static final long US = 1_000;
    private static final long MS = 1_000_000;

    public static final Environment ENVIRONMENT = new Environment(
            "0.1.0",
            "bench-host",
            "Linux 6.1.0 amd64",
            "Example CPU",
            8,
            32_000,
            "Example Vendor 17.0.12+7",
            List.of("-Xmx1g", "-Djavax.net.ssl.keyStorePassword=changeit"),
            1024,
            "a clock of the tests");

    private ResultFixture() {}

    /** A calibration of this host, with a ceiling of 4,000,000 msg/s for one thread and 3.5 times that for eight. */
    public static Calibration calibration() {
        return new Calibration(
                Instant.parse("2026-11-20T08:00:00.5Z"),
                true,
                4_000_000.0,
                List.of(Calibration.Unlimited.of(1, 5_000_000.0), Calibration.Unlimited.of(8, 17_500_000.0)),
                List.of(
                        new Calibration.Trial(1_000.0, 999.5, 3_000, 5_000, 60_000, 90_000, true),
                        new Calibration.Trial(
                                8_000_000.0, 5_000_000.25, 15_000_000, 400_000_000, 700_000_000, 710_000_000, false)),
                new Calibration.Clock(1, 41, 25.5),
                new Calibration.MachineState(0.25, 0.001, 150_000, false),
                new Calibration.Collections(3, 12, 20.5),
                ENVIRONMENT);
    }

    /** The time this many seconds after the start of a run, in epoch nanoseconds. */
    public static long at(double seconds) {
        return BEGIN_NS + (long) (seconds * SECOND_NS);
    }

    /** Latencies with one sample for each value. */
    public static LatencySnapshot latencies(long... valuesNs) {
        Histogram histogram = new Histogram(3);
        histogram.setAutoResize(true);
        long sumNs = 0;
        for (long valueNs : valuesNs) {
            histogram.recordValue(valueNs);
            sumNs += valueNs;
        }
        return new LatencySnapshot(histogram, sumNs, 0, 0);
    }

    /** A period with all latencies. */
    public static PeriodSnapshot period(double startS, double endS, Totals counts, Totals totals) {
        Map<Latency, LatencySnapshot> latencies = new EnumMap<>(Latency.class);
        long shiftNs = (long) (startS * US);
        latencies.put(Latency.PUBLISH, latencies(850 * US + shiftNs, 1_234_567, 1_300 * US, 12 * MS));
        latencies.put(Latency.SCHEDULED_PUBLISH, latencies(860 * US + shiftNs, 1_244_567, 1_310 * US, 13 * MS));
        latencies.put(Latency.SEND_DELAY, latencies(0, 999, 10 * US, 1 * MS));
        latencies.put(Latency.END_TO_END, latencies(1_100 * US, 1_500 * US + shiftNs, 2 * MS, 2 * MS, 2_500 * MS));
        latencies.put(
                Latency.SCHEDULED_END_TO_END, latencies(1_110 * US, 1_510 * US + shiftNs, 2 * MS, 3 * MS, 2_501 * MS));
        return new PeriodSnapshot(at(startS), at(endS), counts, totals, latencies)
                .withStalls(latencies(0, 0, 0, 150 * US + shiftNs, 40 * MS));
    }

    /** Periods with the resources used in each of them; later periods have none. */
    public static List<RunPeriod> periods(List<PeriodSnapshot> seen, ResourcePeriod... used) {
        return IntStream.range(0, seen.size())
                .mapToObj(i -> new RunPeriod(seen.get(i), i < used.length ? used[i] : ResourcePeriod.NONE))
                .toList();
    }

    /** A copy of the period without samples of some latencies. */
    public static PeriodSnapshot without(PeriodSnapshot period, Latency... notMeasured) {
        Map<Latency, LatencySnapshot> latencies = new EnumMap<>(period.latencies());
        for (Latency latency : notMeasured) {
            latencies.put(latency, LatencySnapshot.empty());
        }
        return new PeriodSnapshot(period.shares(), period.totals(), latencies, period.control());
    }

    private static Totals totals(long sent, long failed, Long... received) {
        return new Totals(sent, sent - failed, failed, List.of(received), 0);
    }

    private static WorkloadFile workload(String name) {
        try {
            WorkloadFile file = WorkloadFile.read(GoldenFile.path(name + ".yaml"), Path.of(""));
            return new WorkloadFile(
                    Path.of("workloads", name + ".yaml"), file.workload(), file.payload(), file.settings());
        } catch (ConfigException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Driver kafka() {
        Map<String, @Nullable Object> settings = new LinkedHashMap<>();
        settings.put("name", "Kafka");
        settings.put("driverClass", "io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver");
        settings.put("replicationFactor", 3L);
        settings.put("topicConfig", "min.insync.replicas=2\n");
        settings.put("commonConfig", """
                bootstrap.servers=localhost:9092
                sasl.jaas.config=org.example.LoginModule required \\
                  username="me" \\
                  password="do-not-tell";
                """);
        settings.put("consumerConfig", null);
        settings.put("localBroker", Map.of("nodes", 3L));
        return new Driver(
                "Kafka",
                "io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver",
                "kafka-clients 4.4.0",
                settings);
    }

    private static Broker localKafka() {
        return new Broker(
                new BrokerDescription(
                        "Apache Kafka",
                        "4.4.0",
                        List.of("127.0.0.1:9092", "127.0.0.1:9093", "127.0.0.1:9094"),
                        Map.of("controller", "127.0.0.1:9092", "clusterId", "fixed", "authToken", "do-not-tell"),
                        new Guarantee(3, 2, Storage.WRITTEN, Consumption.ACKNOWLEDGED, Order.PARTITION)),
                true,
                inOrder("nodes", "3", "heap", "512m"),
                Map.of());
    }

    /** A map that is not in alphabetical order, so that a renderer has to sort it. */
    private static <V> Map<String, V> inOrder(String key, V value, String nextKey, V nextValue) {
        Map<String, V> map = new LinkedHashMap<>();
        map.put(key, value);
        map.put(nextKey, nextValue);
        return map;
    }

    private static AuditReport.SubscriptionReport nothingLost(int subscription, long messages) {
        return AuditFixture.subscription(subscription, messages, messages, 0, 0, 0, 0, 0, List.of());
    }

    /** Resources of two nodes of a broker, one of which could not be read, and of the harness. */
    private static ResourcePeriod resources(double cores, double residentBytes) {
        return new ResourcePeriod(List.of(
                new ResourceUse(
                        "kafka-1",
                        Role.BROKER,
                        Map.of(
                                Figure.CPU_CORE_PERCENT, new FigureUse(10, 1000 * cores, 120 * cores),
                                Figure.RESIDENT_BYTES, new FigureUse(10, 10 * residentBytes, residentBytes),
                                Figure.COLLECTION_PERCENT, new FigureUse(10, 4, 2)),
                        Map.of(
                                "G1 Young Generation", new CollectorWork(4, 38.5),
                                "G1 Old Generation", new CollectorWork(0, 0))),
                new ResourceUse("kafka-2", Role.BROKER, Map.of()),
                new ResourceUse("harness", Role.HARNESS, Map.of(Figure.CPU_CORE_PERCENT, new FigureUse(10, 610, 70)))));
    }

    /** Limits of a broker that were kept only in part. */
    private static ResourceLimits limits() {
        return new ResourceLimits(
                new Enforcement(
                        new ProcessLimit(0.5, 1L << 30),
                        Mechanism.CGROUP_V2,
                        null,
                        List.of("memory is not limited, since it is a fixture")),
                Enforcement.NONE,
                new Enforcement(new ProcessLimit(0.25, null), Mechanism.CGROUP_V2, null, List.of()));
    }

    /** A good run: two subscriptions, one period of warm-up, two measured periods. */
    public static RunResult twoSubscriptions() {
        return new RunResult(
                "run-a",
                Verdict.OK,
                List.of(),
                null,
                workload("two-subscriptions"),
                kafka(),
                localKafka(),
                ENVIRONMENT,
                BEGIN_NS,
                at(35),
                "FULL",
                1000.0,
                List.of(
                        new Phase("provision", at(0), at(1.25)),
                        new Phase("ready", at(1.25), at(2)),
                        new Phase("warm-up", at(2), at(12)),
                        new Phase("measure", at(12), at(32)),
                        new Phase("drain", at(32), at(32.5)),
                        new Phase("audit", at(32.5), at(35))),
                List.of(period(2, 12, totals(9_990, 0, 9_980L, 9_970L), totals(9_990, 0, 9_980L, 9_970L))),
                periods(
                        List.of(
                                period(12, 22, totals(10_000, 0, 10_001L, 9_999L), totals(19_990, 0, 19_981L, 19_969L)),
                                period(
                                        22,
                                        32,
                                        totals(10_000, 0, 10_003L, 10_010L),
                                        totals(29_990, 0, 29_984L, 29_979L))),
                        resources(1.0, 0.5e9),
                        resources(1.5, 0.7e9)),
                null,
                new AuditReport(1, 29_990, 0, List.of(nothingLost(0, 29_990), nothingLost(1, 29_990))),
                new HarnessUsage(20 * SECOND_NS, 7 * SECOND_NS, 12, 90, 8),
                null,
                Map.of(),
                limits(),
                RunResult.Course.PLAIN,
                List.of(),
                null);
    }

    /** A search for the sustainable rate, with findings, on an external broker with one node. */
    public static RunResult search() {
        return new RunResult(
                "run-b",
                Verdict.INVALID,
                List.of(
                        Finding.targetRateMissed(75_000, 70_123.4),
                        Finding.messagesLost(
                                "sub-000", 4, 4_207_404, List.of("producer 3: 17..19", "producer 4: 1000000")),
                        Finding.messagesDuplicated("sub-000", 1)),
                null,
                workload("search"),
                kafka(),
                new Broker(
                        new BrokerDescription("Apache Kafka", "unknown", List.of("broker:9092"), Map.of()),
                        false,
                        Map.of(),
                        Map.of()),
                ENVIRONMENT,
                BEGIN_NS,
                at(100),
                "FULL",
                75_000.0,
                List.of(new Phase("search", at(10), at(30)), new Phase("measure", at(30), at(90))),
                List.of(),
                periods(List.of(period(30, 90, totals(4_207_404, 3, 4_207_398L), totals(4_907_404, 3, 4_907_398L)))),
                new Search(
                        75_000.0,
                        new RunResult.RateRange(75_000, 78_750.0),
                        List.of(
                                new SearchStep(10_000, 9_999.9, 0, null, false),
                                new SearchStep(
                                        100_000,
                                        71_000.25,
                                        250_000,
                                        new RunResult.Breach(
                                                "pace", "the slowest subscription fell behind, by 250,000 messages"),
                                        false),
                                new SearchStep(75_000, 74_900, 12, null, true)),
                        new AuditReport(
                                20,
                                700_000,
                                0,
                                List.of(AuditFixture.subscription(
                                        0, 700_000, 699_990, 12, 2, 0, 0, 0, List.of("producer 0: 6..17"))))),
                new AuditReport(
                        20,
                        4_907_404,
                        3,
                        List.of(AuditFixture.subscription(
                                0,
                                4_907_401,
                                4_907_398,
                                4,
                                1,
                                0,
                                1,
                                0,
                                List.of("producer 3: 17..19", "producer 4: 1000000")))),
                new HarnessUsage(60 * SECOND_NS, 300 * SECOND_NS, 250, 1_500, 8),
                new RunResult.Ceiling(calibration(), 2),
                inOrder("send: TimeoutException: # ms passed", 3L, "poll: DisconnectException", 1L),
                ResourceLimits.NONE,
                new RunResult.Course(List.of(), null, tail(), 1, List.of(), null),
                List.of(),
                null);
    }

    /** Latencies that a stall at the end of the search's measurement left. */
    private static RunResult.Tail tail() {
        Map<Latency, LatencySnapshot> latencies = new EnumMap<>(Latency.class);
        latencies.put(Latency.SCHEDULED_PUBLISH, latencies(2_600 * MS, 2_700 * MS, 2_900 * MS, 2_950 * MS));
        latencies.put(Latency.SCHEDULED_END_TO_END, latencies(2_601 * MS, 2_700 * MS, 2_900 * MS, 2_950 * MS));
        PeriodSnapshot seen =
                new PeriodSnapshot(at(90), at(93), totals(1, 0, 1L), totals(4_907_405, 3, 4_907_399L), latencies);
        return new RunResult.Tail(seen, new RunResult.Censored(2, 1, 0, 2_950 * MS));
    }

    /** A run that failed before the broker was known. */
    public static RunResult failed() {
        return new RunResult(
                "run-c",
                Verdict.FAILED,
                List.of(),
                "Kafka at localhost:9092 does not answer: Timed out waiting for a node assignment. Call: describeCluster",
                workload("failed"),
                kafka(),
                null,
                ENVIRONMENT,
                BEGIN_NS,
                at(60),
                "FULL",
                50.0,
                List.of(new Phase("provision", at(0), at(60))),
                List.of(),
                List.of(),
                null,
                null,
                null,
                null,
                Map.of(),
                ResourceLimits.NONE,
                RunResult.Course.PLAIN,
                List.of(),
                null);
    }

    /** A run that the user stopped: messages too small for an intended send time, a slow rate, a backlog. */
    public static RunResult compact() {
        return new RunResult(
                "run-d",
                Verdict.INTERRUPTED,
                List.of(Finding.smallMessages(10, MessageHeader.Layout.COMPACT)),
                null,
                workload("compact"),
                kafka(),
                localKafka(),
                ENVIRONMENT,
                BEGIN_NS,
                at(25),
                "COMPACT",
                0.5,
                List.of(new Phase("backlog-build", at(1), at(11)), new Phase("backlog-drain", at(11), at(21))),
                List.of(),
                periods(List.of(
                        without(
                                period(1, 11, totals(5, 0, 0L), totals(5, 0, 0L)),
                                Latency.END_TO_END,
                                Latency.SCHEDULED_END_TO_END),
                        without(period(11, 21, totals(5, 0, 9L), totals(10, 0, 9L)), Latency.SCHEDULED_END_TO_END))),
                null,
                new AuditReport(1, 10, 0, List.of(nothingLost(0, 10))),
                new HarnessUsage(20 * SECOND_NS, SECOND_NS / 100, 0, 0, 8),
                null,
                Map.of(),
                ResourceLimits.NONE,
                RunResult.Course.PLAIN,
                List.of(),
                null);
    }

    /** A run whose number of producers grew until a rule was broken; it also has transfer times. */
    public static RunResult steps() {
        PeriodSnapshot first = period(10, 30, totals(20_000, 0, 20_000L), totals(20_000, 0, 20_000L));
        PeriodSnapshot change = period(30, 30.5, totals(700, 0, 700L), totals(20_700, 0, 20_700L));
        PeriodSnapshot second = period(30.5, 50, totals(24_435, 0, 20_000L), totals(45_135, 0, 40_700L));
        return new RunResult(
                "run-e",
                Verdict.OK,
                List.of(Finding.stepsEnded(4, 4, "endToEndLatency99pct was 1.50 s, more than 1.00 s")),
                null,
                workload("steps"),
                kafka(),
                localKafka(),
                ENVIRONMENT,
                BEGIN_NS,
                at(60),
                "FULL",
                null,
                List.of(new Phase("measure", at(10), at(50))),
                List.of(),
                periods(List.of(first, change, second)),
                null,
                new AuditReport(4, 45_135, 0, List.of(nothingLost(0, 45_135))),
                new HarnessUsage(40 * SECOND_NS, SECOND_NS, 0, 0, 8),
                null,
                Map.of(),
                ResourceLimits.NONE,
                new RunResult.Course(
                        List.of(
                                new RunResult.LoadStep(2, 4, first, null, ResourcePeriod.NONE, null),
                                new RunResult.LoadStep(
                                        4,
                                        4,
                                        second,
                                        new RunResult.Breach(
                                                "endToEndLatency99pct",
                                                "endToEndLatency99pct was 1.50 s, more than 1.00 s"),
                                        ResourcePeriod.NONE,
                                        null)),
                        new RunResult.Transfer(39.75, 39.8, 40.0),
                        null,
                        42,
                        List.of(
                                new RunResult.SloOutcome("publishLatencyAvg", 5_000_000, 3_850_000.5, 8, 1),
                                new RunResult.SloOutcome("endToEndLatency99pct", 3_000_000_000L, 2.5e9, 10, 100)),
                        null),
                List.of(),
                null);
    }

    /** A sweep of three rates: the second is the knee, the third was too high. */
    public static RunResult sweep() {
        return sweep(2);
    }

    /** A sweep with this many sustained rates. */
    public static RunResult sweep(int sustained) {
        List<PeriodSnapshot> rates = List.of(
                period(10, 20, totals(10_000, 0, 10_000L), totals(20_000, 0, 20_000L)),
                period(24, 34, totals(20_000, 0, 20_010L), totals(48_000, 0, 48_000L)),
                period(38, 48, totals(31_234, 0, 20_000L), totals(95_234, 0, 80_000L)));
        RunResult.Breach breach =
                new RunResult.Breach("pace", "the slowest subscription fell behind, by 11,234 messages");
        List<RunResult.LoadStep> steps = IntStream.range(0, rates.size())
                .mapToObj(i -> new RunResult.LoadStep(
                        2,
                        4,
                        rates.get(i),
                        i < sustained ? null : breach,
                        i < sustained ? resources(0.5 * (i + 1), 0.5e9) : ResourcePeriod.NONE,
                        1000.0 * (1 << i)))
                .toList();
        return new RunResult(
                "run-f",
                Verdict.OK,
                List.of(),
                null,
                workload("sweep"),
                kafka(),
                localKafka(),
                ENVIRONMENT,
                BEGIN_NS,
                at(60),
                "FULL",
                2000.0,
                List.of(
                        new Phase("settle", at(6), at(10)),
                        new Phase("measure", at(10), at(20)),
                        new Phase("settle", at(20), at(24)),
                        new Phase("measure", at(24), at(34)),
                        new Phase("settle", at(34), at(38)),
                        new Phase("measure", at(38), at(48)),
                        new Phase("settle", at(48), at(50))),
                List.of(),
                periods(List.of(rates.get(1)), resources(1.0, 0.5e9)),
                null,
                new AuditReport(4, 95_234, 0, List.of(nothingLost(0, 95_234))),
                new HarnessUsage(10 * SECOND_NS, SECOND_NS, 0, 0, 8),
                null,
                Map.of(),
                ResourceLimits.NONE,
                new RunResult.Course(List.of(), null, null, 1, List.of(), new RateSweep(steps)),
                List.of(),
                null);
    }

    /** A run of two workers: the second's clock was set, and the second was lost at the end. */
    public static RunResult twoWorkers() {
        List<PeriodSnapshot> seen = List.of(
                ofTwo(period(12, 22, totals(10_000, 0, 10_001L, 9_999L), totals(19_990, 0, 19_981L, 19_969L))),
                ofTwo(period(22, 32, totals(10_000, 0, 10_003L, 10_010L), totals(29_990, 0, 29_984L, 29_979L))));
        HarnessUsage ofOne = new HarnessUsage(20 * SECOND_NS, 7 * SECOND_NS, 12, 90, 8);
        HarnessUsage ofOther = new HarnessUsage(20 * SECOND_NS, 5 * SECOND_NS, 10, 60, 4);
        List<WorkerResult> workers = List.of(
                new WorkerResult(
                        machine("worker 1 (w1:8080)", "w1", 8),
                        1,
                        2,
                        new RunResult.Rates(1_000, 1_000, 1_000.5),
                        ofOne,
                        new ClockReport(
                                new ClockReport.Offsets(new Offset(1_234_567_890L, 20_500), 41_000, 21_000, 12.5, 0.75),
                                new ClockReport.Probes(264, Map.of("UDP", 264L), 35_000, 48_000),
                                List.of()),
                        0L,
                        2_000_000.0,
                        null),
                new WorkerResult(
                        machine("worker 2 (w2:8080)", "w2", 4),
                        0,
                        2,
                        new RunResult.Rates(0, 0, 1_000.5),
                        ofOther,
                        new ClockReport(
                                new ClockReport.Offsets(new Offset(-5_000_000, 30_000), 59_000, 29_000, -3, 1),
                                new ClockReport.Probes(270, Map.of("HTTP", 6L, "UDP", 262L), 40_000, 61_000),
                                List.of(new ClockBreak(at(14), at(14.5), 3_200_000))),
                        null,
                        null,
                        "its process was restarted"));
        RunResult result = twoSubscriptions();
        return new RunResult(
                "run-g",
                Verdict.INVALID,
                List.of(
                        Finding.workerLost("worker 2 (w2:8080) was lost: its process was restarted"),
                        Finding.clockMoved(
                                "worker 2 (w2:8080)",
                                List.of(new ClockBreak(at(14), at(14.5), 3_200_000)),
                                Finding.Severity.NOTE,
                                false)),
                null,
                result.workload(),
                result.driver(),
                result.broker(),
                ENVIRONMENT.ofSeveralClocks(),
                BEGIN_NS,
                at(35),
                "FULL",
                1000.0,
                result.phases(),
                result.warmup().stream().map(ResultFixture::ofTwo).toList(),
                periods(seen, resources(1.0, 0.5e9), resources(1.5, 0.7e9)),
                null,
                new AuditReport(
                        2,
                        1,
                        29_990,
                        0,
                        List.of(
                                nothingLost(0, 29_990),
                                new AuditReport.SubscriptionReport(
                                        1, 29_990, 29_979, 0, 0, 11, 0, 0L, 0, 0, List.of(), 0))),
                HarnessUsage.together(List.of(ofOne, ofOther)).orElseThrow(),
                null,
                Map.of(),
                ResourceLimits.NONE,
                RunResult.Course.PLAIN,
                workers,
                new ClockBound(100_000, 2_000_895L));
    }

    private static WorkerMachine machine(String name, String host, int processors) {
        return new WorkerMachine(
                name,
                new WorkerHost(host, host, List.of(), "Linux 6.1.0 amd64", 16_000),
                new WorkerMachine.Jvm("Example Vendor 17.0.12+7", List.of("-Xmx1g", "-Dtoken=changeit"), 1024),
                processors,
                null,
                host.equals("w1") ? new Chrony(-1_500, 250_000, 900_000) : null);
    }

    /** A period as two workers saw it: two of the messages stayed on the first, the others went to the second. */
    private static PeriodSnapshot ofTwo(PeriodSnapshot period) {
        PeriodSnapshot.Share share = period.shares().get(0);
        Totals counts = share.counts();
        Totals none = Totals.none(counts.received().size());
        PeriodSnapshot.Share ofSecond = new PeriodSnapshot.Share(share.startNs(), share.endNs(), none);
        Map<Latency, LatencySnapshot> stayed = Map.of(
                Latency.END_TO_END, latencies(1_100 * US, 2 * MS),
                Latency.SCHEDULED_END_TO_END, latencies(1_110 * US, 2 * MS));
        Map<Latency, LatencySnapshot> atFirst = new EnumMap<>(period.latencies());
        atFirst.putAll(stayed);
        Map<Latency, LatencySnapshot> atSecond = new EnumMap<>(Latency.class);
        stayed.forEach((latency, own) -> atSecond.put(latency, without(period.latency(latency), own)));
        return new PeriodSnapshot(
                List.of(share, ofSecond),
                period.totals(),
                period.latencies(),
                stayed,
                List.of(
                        CompressedPeriod.of(new PeriodSnapshot(List.of(share), period.totals(), atFirst, stayed)),
                        CompressedPeriod.of(new PeriodSnapshot(List.of(ofSecond), none, atSecond, Map.of()))));
    }

    private static LatencySnapshot without(LatencySnapshot all, LatencySnapshot part) {
        Histogram rest = all.histogram().copy();
        rest.subtract(part.histogram());
        return new LatencySnapshot(rest, all.sumNs() - part.sumNs(), 0, 0);
    }

    /** A copy of the result with other findings. */
    public static RunResult withFindings(RunResult result, List<Finding> findings) {
        return new RunResult(
                result.runId(),
                result.verdict(),
                findings,
                result.failure(),
                result.workload(),
                result.driver(),
                result.broker(),
                result.environment(),
                result.beginNs(),
                result.endNs(),
                result.headerLayout(),
                result.targetRateMsgPerSec(),
                result.phases(),
                result.warmup(),
                periods(result.measured()),
                result.search(),
                result.audit(),
                result.usage(),
                result.ceiling(),
                result.errors(),
                ResourceLimits.NONE,
                result.course(),
                result.workers(),
                result.clocks());
    }
}
