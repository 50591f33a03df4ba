package io.openmessaging.benchmark.worker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.audit.ProducerAudit;
import io.openmessaging.benchmark.audit.SequenceSet;
import io.openmessaging.benchmark.availability.Availability;
import io.openmessaging.benchmark.availability.LatencyBuckets;
import io.openmessaging.benchmark.availability.SlotCounters;
import io.openmessaging.benchmark.load.ArrivalProcess;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.MessageProperties;
import io.openmessaging.benchmark.load.PayloadSpec;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.measure.CollectorWork;
import io.openmessaging.benchmark.measure.CompressedLatencies;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.LoadSpan;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.FigureUse;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.resources.ResourceUse;
import io.openmessaging.benchmark.worker.TestDrivers;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.protocol.Exchange.Request;
import io.openmessaging.benchmark.worker.protocol.Exchange.WireReply;
import io.openmessaging.benchmark.worker.protocol.Worker.Change;
import io.openmessaging.benchmark.worker.protocol.Worker.Failure;
import io.openmessaging.benchmark.worker.protocol.Worker.LatestLoad;
import io.openmessaging.benchmark.worker.protocol.Worker.Lost;
import io.openmessaging.benchmark.worker.protocol.Worker.Marks;
import io.openmessaging.benchmark.worker.protocol.Worker.Period;
import io.openmessaging.benchmark.worker.protocol.Worker.Prepare;
import io.openmessaging.benchmark.worker.protocol.Worker.Prepared;
import io.openmessaging.benchmark.worker.protocol.Worker.Probe;
import io.openmessaging.benchmark.worker.protocol.Worker.Probed;
import io.openmessaging.benchmark.worker.protocol.Worker.Start;
import io.openmessaging.benchmark.worker.protocol.Worker.Status;
import io.openmessaging.benchmark.worker.protocol.Worker.Stop;
import io.openmessaging.benchmark.worker.server.ServerCap;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Order(1)
class WireTest {

    private static final Random RANDOM = new Random(20_261_122);

    /** Letters, characters that JSON escapes, and characters that are not letters. */
    private static final String ANY_TEXT = "quota \"10\" of C:\\x\n\t\0\u007f\u0085\u2028é😀";

    private static final DriverDescription DRIVER = new DriverDescription(
            "a folder/driver.yaml",
            "com.example.Driver",
            "{\"producerConfig\": \"acks=all\\nlinger.ms=1\"}",
            List.of("host:1", "[::1]:2"),
            Map.of("admin", List.of("http://host:3"), "metrics", List.of()));

    private static final Topology TOPOLOGY = new Topology("run1", 100_000, 3, 4, 5, 6);

    private static final PayloadSpec SEVERAL_SIZES = new PayloadSpec(
            List.of(),
            List.of(new PayloadSpec.SizeClass(100, 0.9), new PayloadSpec.SizeClass(1 << 20, 0.1)),
            17,
            0.3,
            40,
            true);

    private static RunDescription run(PayloadSpec payloads) {
        return new RunDescription(
                DRIVER,
                TOPOLOGY,
                new MessagePlan(
                        MessageHeader.Layout.FULL,
                        payloads,
                        KeyDistribution.ZIPF,
                        ArrivalProcess.POISSON,
                        new MessageProperties(5, 100)),
                new ClientOptions(
                        Duration.ofNanos(12_345_678_901L), OptionalInt.of(1000), Duration.ofNanos(1), true, true, true),
                new Seed(Long.MIN_VALUE),
                Duration.ofMillis(1),
                new Placement(99, 100, 50, 50, 50));
    }

    private static SequenceSet set(LongStream numbers) {
        ProducerAudit audit = new ProducerAudit(0);
        numbers.forEach(audit::failed);
        return audit.dispatches().failed();
    }

    private static LatencySnapshot latencies() {
        LatencySnapshot sum = new LatencySnapshot(LatencySnapshot.empty().histogram(), -1.5, 3, 2);
        for (int i = 0; i < 10; i++) {
            sum = sum.plus(LatencySnapshot.of(Math.abs(RANDOM.nextLong()), 1 + RANDOM.nextInt(1000)));
        }
        return sum;
    }

    private static Totals totals() {
        return new Totals(Long.MAX_VALUE, 8, 1, List.of(7L, 0L), 3, List.of(1L, 0L), 5);
    }

    private static PeriodSnapshot period() {
        Map<Latency, LatencySnapshot> latencies = new EnumMap<>(Latency.class);
        for (Latency latency : Latency.values()) {
            latencies.put(latency, latencies());
        }
        long startNs = RANDOM.nextLong();
        return new PeriodSnapshot(
                List.of(new PeriodSnapshot.Share(
                        startNs, startNs + 1, Totals.none(2), CompressedLatencies.of(latencies()), Long.MAX_VALUE)),
                totals(),
                latencies,
                Map.of(Latency.END_TO_END, latencies()));
    }

    private static ResourcePeriod used() {
        Map<Figure, FigureUse> figures = new EnumMap<>(Figure.class);
        for (Figure figure : Figure.values()) {
            figures.put(figure, new FigureUse(RANDOM.nextDouble(), RANDOM.nextDouble(), Double.MAX_VALUE));
        }
        return new ResourcePeriod(List.of(
                new ResourceUse(
                        ANY_TEXT, Role.HARNESS, figures, Map.of("G1 Young Generation", new CollectorWork(7, 0.1))),
                ResourceUse.nothing("host", Role.HOST)));
    }

    private static Map<String, Long> errors() {
        return new TreeMap<>(Map.of("send: " + ANY_TEXT, Long.MAX_VALUE, "", 0L));
    }

    private static Status status(@Nullable LoadSpan span, @Nullable String failure) {
        HarnessUsage usage = new HarnessUsage(Long.MIN_VALUE, 1, 2, 3, 4);
        return new Status(
                totals(),
                new LatestLoad(true, span, Map.of(0, 1_800_000_000_000_000_001L, 99, 0L)),
                errors(),
                List.of(usage, usage),
                List.of(new Lost(
                        99, "worker 100 (" + ANY_TEXT + ")", Long.MAX_VALUE, "its process was restarted", 121)),
                failure == null ? null : new Failure(Long.MIN_VALUE, failure));
    }

    private static BitSet bits(int count) {
        BitSet bits = new BitSet();
        RANDOM.ints(count, 0, 10_000_000).forEach(bits::set);
        return bits;
    }

    private static AuditPart auditPart() {
        SequenceSet scattered = set(RANDOM.longs(300_000, 0, 3L << 32));
        SequenceSet run = set(LongStream.range((1L << 32) - 1000, (1L << 32) + 1000));
        AuditPart.Arrived arrived = new AuditPart.Arrived(scattered, run);
        return new AuditPart(
                List.of(
                        new AuditPart.Dispatches(0, 5L << 32, 17, run),
                        new AuditPart.Dispatches(Integer.MAX_VALUE, 0, 0, set(LongStream.empty()))),
                List.of(
                        new AuditPart.ArrivalCounts(
                                "test-topic-run1-00000", 1, Map.of(0, arrived, 7, arrived), 1, 2, 3, 4),
                        new AuditPart.ArrivalCounts("", 0, Map.of(), 0, 0, 0, 0)),
                new AuditPart.Unreported(
                        Map.of(7, Long.MAX_VALUE, 8, 0L),
                        Set.of(
                                new AuditPart.SubscriptionKey(ANY_TEXT, 0),
                                new AuditPart.SubscriptionKey("", Integer.MAX_VALUE))),
                Availability.NONE);
    }

    private static Availability availability() {
        SlotCounters sends = new SlotCounters(Availability.KINDS);
        SlotCounters latencies = new SlotCounters(LatencyBuckets.COUNT);
        for (int i = 0; i < 1000; i++) {
            sends.add(RANDOM.nextLong(17_000_000_000L, 17_000_005_000L), RANDOM.nextInt(Availability.KINDS));
            latencies.add(17_000_000_000L + i % 3, LatencyBuckets.of(RANDOM.nextLong(0, Long.MAX_VALUE)));
        }
        return new Availability(
                Map.of(0, sends.counts(), Integer.MAX_VALUE, new SlotCounters(Availability.KINDS).counts()),
                sends.counts(),
                latencies.counts(),
                Availability.NONE.deliveryLatencies());
    }

    static Stream<Object> messages() {
        RateProfile infinite = RateProfile.steady(Double.POSITIVE_INFINITY);
        RateProfile ramp = new RateProfile(List.of(
                new RateProfile.Segment(1, 0, 1e9 / 3),
                new RateProfile.Segment(Long.MAX_VALUE, Double.MIN_VALUE, Double.POSITIVE_INFINITY)));
        PayloadSpec text = PayloadSpec.text(Integer.MAX_VALUE);
        LoadSpan whole = new LoadSpan(
                Optional.of(1L), Optional.of(2L), Optional.of(3L), Optional.of(4L), Optional.of(Long.MAX_VALUE));
        LoadSpan unanswered =
                new LoadSpan(Optional.of(1L), Optional.of(2L), Optional.empty(), Optional.empty(), Optional.empty());
        return Stream.of(
                new Prepare(run(SEVERAL_SIZES), 3, 2),
                new Prepare(run(text), 0, 0),
                new Prepared(List.of(), List.of()),
                new Prepared(
                        List.of(WorkerMachine.here(0), WorkerMachine.here(1).capableOf(new Ceilings(0.1, 2, 1.5))),
                        Placement.split(2, false)),
                new Lost(0, "", 0, "", 0),
                new Failure(0, ANY_TEXT),
                new LatestLoad(true, null, Map.of()),
                new Probe(1, null),
                new Probe(1, new BitSet()),
                new Probe(1, bits(1000)),
                new Probed(bits(100_000), -1, null),
                new Probed(new BitSet(), Long.MAX_VALUE, ANY_TEXT),
                new Start(1, 0, infinite, Long.MAX_VALUE),
                new Start(2, Long.MAX_VALUE, ramp, 7),
                new Change(0, RateProfile.steady(0)),
                new Change(1_800_000_000_000_000_001L, ramp),
                true,
                false,
                status(null, null),
                status(whole, ANY_TEXT),
                status(unanswered, ""),
                status(null, "half a character, where a message was cut: \ud83d"),
                Integer.MAX_VALUE,
                new Period(1, period(), List.of(LatencySnapshot.empty()), ResourcePeriod.NONE),
                new Period(
                        2, PeriodSnapshot.merged(List.of(period(), period(), period())), List.of(latencies()), used()),
                new Period(
                        3,
                        PeriodSnapshot.mergedWithEach(List.of(period(), period())),
                        List.of(latencies(), latencies()),
                        used()),
                new Stop(true),
                new Stop(false),
                new Marks(Map.of()),
                new Marks(Map.of(0, 7L, Integer.MAX_VALUE, Long.MAX_VALUE)),
                auditPart(),
                auditPart().with(availability()),
                new AuditPart(List.of(), List.of()));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void aMessageIsTheSameAfterItsWayThroughBytes(Object message) {
        byte[] bytes = Wire.write(message);
        Object read = Wire.read(bytes, message.getClass());
        assertThat(read.equals(message)).isTrue();
        assertThat(read.hashCode()).isEqualTo(message.hashCode());
    }

    @Test
    void noMessageOfAWorkerIsForgotten() {
        assertThat(messages().map(Object::getClass)).contains(Worker.class.getDeclaredClasses());
    }

    /**
     * The user's messages at their largest total size: one message with all bytes, and as many messages as allowed.
     */
    @Test
    void theUsersMessagesComeWholeAndInARequestThatAWorkerTakes() {
        byte[] large = new byte[PayloadSpec.MAX_GIVEN_BYTES];
        RANDOM.nextBytes(large);
        comesWhole(List.of(large));
        List<byte[]> many = new ArrayList<>();
        for (int i = 0; i < PayloadSpec.MAX_GIVEN; i++) {
            byte[] message = new byte[PayloadSpec.MAX_GIVEN_BYTES / PayloadSpec.MAX_GIVEN];
            RANDOM.nextBytes(message);
            many.add(message);
        }
        comesWhole(many);
    }

    private static void comesWhole(List<byte[]> messages) {
        PayloadSpec payload = new PayloadSpec(messages, List.of(), 0, 0, 32, false);
        byte[] bytes = Wire.write(new Prepare(run(payload), 1, 1));
        assertThat(bytes.length).isLessThan(ServerCap.BODY_BYTES.byDefault());
        List<byte[]> read =
                Wire.read(bytes, Prepare.class).run().messages().payloads().given();
        assertThat(read).hasSameSizeAs(messages);
        for (int i = 0; i < read.size(); i++) {
            assertThat(Arrays.equals(read.get(i), messages.get(i))).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyKindOfMessageCanBeAskedFor(ArrivalProcess arrivals) {
        for (KeyDistribution keys : KeyDistribution.values()) {
            for (MessageHeader.Layout layout : MessageHeader.Layout.values()) {
                MessagePlan plan = new MessagePlan(layout, SEVERAL_SIZES, keys, arrivals);
                assertThat(Wire.read(Wire.write(plan), MessagePlan.class)).isEqualTo(plan);
            }
        }
    }

    @Test
    void asManyTopicsAsOneLikesAreDescribedInTwoKibibytes() {
        assertThat(TOPOLOGY.topicCount()).isEqualTo(100_000);
        assertThat(Wire.write(new Prepare(run(SEVERAL_SIZES), 4, 6)).length).isLessThanOrEqualTo(2048);
    }

    @Test
    void aMillionNumbersWithoutAGapAreAFewBytes() {
        AuditPart part = new AuditPart(
                List.of(new AuditPart.Dispatches(0, 1_000_000, 0, set(LongStream.range(0, 1_000_000)))), List.of());
        assertThat(Wire.write(part).length).isLessThan(1024);
        assertThat(Wire.read(Wire.write(part), AuditPart.class)).isEqualTo(part);
    }

    /** Sets that cannot be compressed and exceed what a parser accepts as a sensible text. */
    @Test
    void whatHasArrivedComesWholeHoweverLargeItIs() {
        SequenceSet scattered = set(LongStream.range(0, 10_000_000).map(number -> 13 * number));
        AuditPart part = new AuditPart(List.of(new AuditPart.Dispatches(0, 200_000_000, 0, scattered)), List.of());
        byte[] bytes = Wire.write(part);
        assertThat(bytes.length).isGreaterThan(15_000_000);
        assertThat(Wire.read(bytes, AuditPart.class).equals(part)).isTrue();
    }

    @Test
    void whatIsReadIsUsedLikeTheRest() {
        PeriodSnapshot period = period();
        PeriodSnapshot read = Wire.read(Wire.write(new Period(1, period, List.of(latencies()), used())), Period.class)
                .seen();
        assertThat(read.followedBy(period)).isEqualTo(period.followedBy(period));
        // This value is beyond the range that was read: the histogram grows like any other.
        assertThatCode(() -> read.latency(Latency.PUBLISH).plus(LatencySnapshot.of(Long.MAX_VALUE / 4, 1)))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @EnumSource(
            value = Request.class,
            names = {"PREPARE", "PROBE", "START", "CHANGE", "CONSUME", "STATUS", "PERIOD", "STOP", "END_SEARCH"})
    void whatIsNoRequestIsRefused(Request request) throws Exception {
        Worker worker = TestDrivers.worker(new FakeSystem(), System::nanoTime);
        WorkerEndpoint endpoint = new WorkerEndpoint(() -> worker);
        for (String body : List.of("", "{", "[7]", "{\"run\": 3, \"rates\": 3, \"arrived\": 3, \"searchEnds\": {}}")) {
            WireReply answer = endpoint.exchange(request, body.getBytes(StandardCharsets.UTF_8));
            assertThat(answer.refused()).as(body).isTrue();
            assertThat(new String(answer.body(), StandardCharsets.UTF_8)).startsWith("unexpected error: ");
        }
    }

    @Test
    void whatIsCutIsNotRead() {
        byte[] bytes = Wire.write(auditPart());
        assertThatThrownBy(() -> Wire.read(Arrays.copyOf(bytes, bytes.length / 2), AuditPart.class))
                .isInstanceOf(RuntimeException.class);
    }
}
