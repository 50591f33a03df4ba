package io.openmessaging.benchmark.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.load.ArrivalProcess;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.PayloadChecks;
import io.openmessaging.benchmark.load.PayloadSpec;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.LoadSpan;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.Smoke;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.fake.FakeSystem.Call;
import io.openmessaging.benchmark.worker.protocol.ClientOptions;
import io.openmessaging.benchmark.worker.protocol.MessagePlan;
import io.openmessaging.benchmark.worker.protocol.Placement;
import io.openmessaging.benchmark.worker.protocol.RunDescription;
import io.openmessaging.benchmark.worker.protocol.Topology;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.Worker.Change;
import io.openmessaging.benchmark.worker.protocol.Worker.Failure;
import io.openmessaging.benchmark.worker.protocol.Worker.Marks;
import io.openmessaging.benchmark.worker.protocol.Worker.Period;
import io.openmessaging.benchmark.worker.protocol.Worker.Prepare;
import io.openmessaging.benchmark.worker.protocol.Worker.Prepared;
import io.openmessaging.benchmark.worker.protocol.Worker.Probe;
import io.openmessaging.benchmark.worker.protocol.Worker.Probed;
import io.openmessaging.benchmark.worker.protocol.Worker.Start;
import io.openmessaging.benchmark.worker.protocol.Worker.Status;
import io.openmessaging.benchmark.worker.protocol.Worker.Stop;
import java.io.IOException;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.assertj.core.api.Condition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract that a coordinator relies on with every {@link Worker}, whatever lies between the two. */
public abstract class WorkerContractTest {

    /** Time limit for each call of the driver. */
    protected static final Duration LIMIT = Patience.LIMIT;

    private static final int MESSAGE_BYTES = 100;
    private static final RateProfile UNLIMITED = RateProfile.steady(Double.POSITIVE_INFINITY);
    private static final RateProfile NONE = RateProfile.steady(0);

    /** The system that the worker's driver connects to. */
    protected final FakeSystem system = new FakeSystem();

    /** The worker's clock, epoch nanoseconds. */
    protected final EpochClock clock = new EpochClock();

    /** The worker under test. */
    protected final Worker worker;

    private int loads;

    /**
     * Tests one way to reach a worker.
     *
     * @param way function from the worker that does the work, in this process, to the one that the coordinator sees
     */
    protected WorkerContractTest(UnaryOperator<Worker> way) {
        worker = way.apply(TestDrivers.worker(system, clock));
    }

    /**
     * Tests several workers as one.
     *
     * @param group function from the drivers' system and the coordinator's clock to the worker that the coordinator
     *     sees
     */
    protected WorkerContractTest(BiFunction<FakeSystem, EpochClock, Worker> group) {
        worker = group.apply(system, clock);
    }

    /** Returns the number of workers that do the work. */
    protected int workers() {
        return 1;
    }

    /** Returns the text that the coordinator receives when a worker reports a sentence. */
    protected String told(String sentence) {
        return sentence;
    }

    private Condition<String> saying(String sentence) {
        return new Condition<>(heard -> heard != null && heard.endsWith(told(sentence)), "saying %s", sentence);
    }

    private @Nullable String failure() throws Exception {
        Failure failure = worker.status().failure();
        return failure == null ? null : failure.reason();
    }

    @AfterEach
    void close() throws Exception {
        worker.close();
    }

    /** Waits until the worker or the system has made a condition true. */
    protected static void await(String what, Callable<Boolean> condition) {
        Patience.until(what, condition);
    }

    /** Returns topics with one consumer for each of their subscriptions. */
    protected static Topology topology(int topics, int partitions, int producers, int subscriptions) {
        return new Topology("run1", topics, partitions, producers, subscriptions, 1);
    }

    /** Returns a run without optional costs. */
    protected static RunDescription run(Topology topology) {
        return run(topology, PayloadSpec.text(MESSAGE_BYTES), ClientOptions.plain(LIMIT));
    }

    private static RunDescription run(Topology topology, PayloadSpec payloads, ClientOptions clients) {
        MessagePlan messages =
                new MessagePlan(MessageHeader.Layout.FULL, payloads, KeyDistribution.NO_KEY, ArrivalProcess.CONSTANT);
        return new RunDescription(
                TestDrivers.DESCRIPTION, topology, messages, clients, new Seed(77), Duration.ZERO, Placement.alone());
    }

    /** Returns a request for all clients of the topology. */
    protected static Prepare everybody(RunDescription run) {
        Topology topology = run.topology();
        return new Prepare(run, topology.producersPerTopic(), topology.consumersPerSubscription());
    }

    private Topology prepare(int topics, int partitions, int producers, int subscriptions) throws Exception {
        Topology topology = topology(topics, partitions, producers, subscriptions);
        worker.prepare(everybody(run(topology)));
        return topology;
    }

    private void prepareWithSpan() throws Exception {
        ClientOptions clients = new ClientOptions(LIMIT, OptionalInt.empty(), Duration.ZERO, true, false, false);
        worker.prepare(everybody(run(topology(1, 1, 1, 1), PayloadSpec.text(MESSAGE_BYTES), clients)));
    }

    private void start(RateProfile rates, long count) throws Exception {
        worker.start(new Start(++loads, 0, rates, count));
    }

    private void startUnlimited() throws Exception {
        start(UNLIMITED, Long.MAX_VALUE);
    }

    private void stop() throws Exception {
        worker.stop(new Stop(false));
    }

    private void awaitAllSent() {
        await("all messages are sent", () -> worker.status().load().finished());
    }

    private void send(long count) throws Exception {
        start(UNLIMITED, count);
        awaitAllSent();
        stop();
    }

    private Totals totals() throws Exception {
        return worker.status().totals();
    }

    private static AuditReport report(AuditPart part, Topology topology) {
        return AuditReport.of(
                List.of(part), topology.producersByTopic(), topology.subscriptionCount(), AuditReport.WaitEnd.SETTLED);
    }

    @Test
    void nothingComesBeforePreparing() throws Exception {
        List<Callable<?>> tooEarly = List.of(
                worker::status,
                worker::finish,
                () -> worker.period(1),
                () -> worker.probe(new Probe(1, new BitSet())),
                () -> {
                    start(UNLIMITED, 1);
                    return "started";
                },
                () -> {
                    worker.consume(false);
                    return "paused";
                });
        assertThat(tooEarly)
                .allSatisfy(request -> assertThatThrownBy(request::call).hasMessageContaining("prepare() comes first"));
        stop();
        worker.close();
        assertThat(system.calls()).isEmpty();
    }

    @Test
    @Smoke
    void whatIsSentIsConfirmedAndArrivesAtEverySubscription() throws Exception {
        Topology topology = prepare(2, 3, 2, 2);
        send(1000);

        assertThat(totals()).isEqualTo(new Totals(1000, 1000, 0, List.of(1000L, 1000L), 0));
        AuditReport report = report(worker.finish(), topology);
        assertThat(report.sent()).isEqualTo(1000);
        assertThat(report.producers()).isEqualTo(4);
        assertThat(report.subscriptions()).hasSize(2).allSatisfy(subscription -> {
            assertThat(subscription.received()).isEqualTo(1000);
            assertThat(subscription.lost()).isZero();
            assertThat(subscription.duplicated()).isZero();
            assertThat(subscription.unexpected()).isZero();
        });
    }

    @Test
    void whatArrivesTwiceIsKnownWhileItDoes() throws Exception {
        system.deliver(copy -> copy.subscription().equals("sub-001") && !copy.isProbe() ? 2 : 1);
        prepare(2, 1, 2, 2);
        send(1000);

        Totals totals = totals();
        assertThat(totals.received()).containsExactly(1000L, 2000L);
        assertThat(totals.duplicated()).containsExactly(0L, 1000L);
        assertThat(totals.largestBacklog()).isZero();
        assertThat(worker.period(1).seen().totals()).isEqualTo(totals);
    }

    @ParameterizedTest
    @EnumSource(PayloadOwnership.class)
    void anotherLoadGoesOnWithTheNumbersOfTheOneBefore(PayloadOwnership ownership) throws Exception {
        system.setOwnership(ownership);
        Topology topology = prepare(1, 2, 3, 1);
        send(500);
        send(501);
        send(2);

        assertThat(totals().sent()).isEqualTo(1003);
        AuditReport report = report(worker.finish(), topology);
        assertThat(report.sent()).isEqualTo(1003);
        assertThat(report.duplicated()).isZero();
        assertThat(report.lost()).isZero();
        assertThat(report.subscriptions().get(0).received()).isEqualTo(1003);
    }

    @Test
    @Smoke
    void aSearchIsAuditedApart() throws Exception {
        Topology topology = prepare(2, 2, 3, 2);
        system.deliver(copy -> copy.number() == 7 ? 0 : copy.number() == 9 ? 2 : 1);
        start(UNLIMITED, 500);
        awaitAllSent();
        Marks marks = worker.stop(new Stop(true));
        assertThat(worker.stop(new Stop(true))).isEqualTo(marks);
        assertThat(marks.sequences().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(500);
        worker.endSearch(marks);
        worker.endSearch(marks);
        system.deliver(copy -> copy.number() == 511 ? 2 : 1);
        send(100);

        AuditPart part = worker.finish();
        AuditReport searched = AuditReport.ofSearch(
                List.of(part), topology.producersByTopic(), topology.subscriptionCount(), AuditReport.WaitEnd.SETTLED);
        assertThat(searched.sent()).isEqualTo(500);
        assertThat(searched.lost()).isEqualTo(2);
        assertThat(searched.duplicated()).isEqualTo(2);
        AuditReport measured = report(part, topology);
        assertThat(measured.sent()).isEqualTo(100);
        assertThat(measured.lost()).isZero();
        assertThat(measured.duplicated()).isEqualTo(2);
        assertThat(measured.subscriptions().get(1).received()).isEqualTo(101);
    }

    @ParameterizedTest
    @CsvSource({"1,1", "7,3", "1,5", "1000,7", "999,2"})
    void exactlyAsManyMessagesAsAskedForAreSent(long count, int producers) throws Exception {
        prepare(1, 1, producers, 1);
        send(count);
        assertThat(totals().sent()).isEqualTo(count);
        assertThat(system.sent()).isEqualTo(count);
    }

    @Test
    void theLoadGoesOnUntilItIsStopped() throws Exception {
        prepare(1, 1, 2, 1);
        startUnlimited();
        await("a thousand messages are sent", () -> totals().sent() > 1000);
        assertThat(worker.status().load().finished()).isFalse();

        stop();

        long sent = totals().sent();
        assertThat(worker.status().load().finished()).isTrue();
        assertThat(totals().inFlight()).isZero();
        assertThat(system.sent()).isEqualTo(sent);
        stop();
        assertThat(system.sent()).as("stopping twice changes nothing").isEqualTo(sent);
    }

    @Test
    @Smoke
    void anotherRateHoldsFromNowOn() throws Exception {
        prepare(1, 1, 1, 1);
        // One message per quarter of an hour; the first one is due at once.
        start(RateProfile.steady(0.001), Long.MAX_VALUE);
        await("the first message is sent", () -> totals().sent() == 1);

        worker.change(new Change(0, RateProfile.steady(1e6)));

        await("many messages are sent", () -> totals().sent() > 1000);
    }

    @Test
    void aRateIsOfAllProducersTogether() throws Exception {
        prepare(1, 1, 5, 1);
        long beginNs = System.nanoTime();
        start(RateProfile.steady(1000), 100);
        awaitAllSent();
        // The last of a hundred messages is due after 99 ms, or a little earlier in the share of one thread.
        assertThat(System.nanoTime() - beginNs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(90));
    }

    @Test
    @Smoke
    void aLoadBeginsWhenItIsTo() throws Exception {
        prepareWithSpan();
        long atNs = clock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(150);
        assertThat(worker.start(new Start(1, atNs, RateProfile.steady(1000), 100)))
                .isEqualTo(atNs);
        awaitAllSent();

        LoadSpan span = span();
        assertThat(sentNs(span.firstSentNs())).isGreaterThanOrEqualTo(atNs);
        assertThat(sentNs(span.lastSentNs())).isGreaterThanOrEqualTo(atNs + TimeUnit.MILLISECONDS.toNanos(99));
        // From then on, a message was due every millisecond.
        LatencySnapshot delays = worker.period(1).seen().latency(Latency.SEND_DELAY);
        assertThat(delays.histogram().getMaxValue())
                .isGreaterThanOrEqualTo(sentNs(span.lastSentNs()) - atNs - TimeUnit.MILLISECONDS.toNanos(100));
        assertThat(delays.negativeCount()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aLoadWithoutALimitBeginsWhenItIsToAsWell(ArrivalProcess arrivals) throws Exception {
        ClientOptions clients = new ClientOptions(LIMIT, OptionalInt.empty(), Duration.ZERO, true, false, false);
        MessagePlan messages = new MessagePlan(
                MessageHeader.Layout.FULL, PayloadSpec.text(MESSAGE_BYTES), KeyDistribution.NO_KEY, arrivals);
        worker.prepare(everybody(new RunDescription(
                TestDrivers.DESCRIPTION,
                topology(1, 1, 3, 1),
                messages,
                clients,
                new Seed(1),
                Duration.ZERO,
                Placement.alone())));
        long atNs = clock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(100);
        worker.start(new Start(1, atNs, UNLIMITED, 100));
        awaitAllSent();
        assertThat(sentNs(span().firstSentNs())).isGreaterThanOrEqualTo(atNs);
        LatencySnapshot delays = worker.period(1).seen().latency(Latency.SEND_DELAY);
        assertThat(delays.histogram().getMaxValue())
                .as("as soon as the client takes them: none is late")
                .isZero();
    }

    @Test
    void noLimitHoldsFromWhenItIsToUntilItIsTo() throws Exception {
        prepareWithSpan();
        start(NONE, Long.MAX_VALUE);
        long fromNs = clock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(50);
        worker.change(new Change(fromNs, UNLIMITED));
        await("many messages are sent", () -> totals().sent() > 1000);
        assertThat(sentNs(span().firstSentNs())).isGreaterThanOrEqualTo(fromNs);

        long toNs = clock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(50);
        worker.change(new Change(toNs, NONE));
        long holdsNs = Math.max(toNs, clock.getAsLong());
        await("the other rate holds", () -> clock.getAsLong() > holdsNs);
        stop();
        assertThat(holdsNs).isGreaterThanOrEqualTo(sentNs(span().lastSentNs()));
    }

    @Test
    void aLoadThatWasToBeginEarlierOwesWhatWasDueSince() throws Exception {
        prepareWithSpan();
        long atNs = clock.getAsLong() - TimeUnit.HOURS.toNanos(1);
        // One message per second.
        worker.start(new Start(1, atNs, RateProfile.steady(1), 3600));
        awaitAllSent();
        LatencySnapshot delays = worker.period(1).seen().latency(Latency.SEND_DELAY);
        assertThat(delays.count()).isEqualTo(3600);
        assertThat(delays.histogram().getMaxValue()).isGreaterThanOrEqualTo(TimeUnit.MINUTES.toNanos(59));
    }

    @Test
    void aLoadThatIsStoppedBeforeItBeginsOwesNothing() throws Exception {
        prepare(1, 1, 3, 1);
        worker.start(new Start(1, clock.getAsLong() + TimeUnit.HOURS.toNanos(1), RateProfile.steady(1e6), 100));
        assertThat(worker.status().load().finished()).isFalse();
        stop();
        assertThat(totals().sent()).isZero();
        assertThat(unsentIn(1)).isZero();
    }

    @Test
    void otherRatesHoldFromWhenTheyAreTo() throws Exception {
        prepareWithSpan();
        start(NONE, Long.MAX_VALUE);
        long fromNs = clock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(150);
        long toNs = fromNs + TimeUnit.MILLISECONDS.toNanos(50);
        worker.change(new Change(fromNs, RateProfile.steady(10_000)));
        worker.change(new Change(toNs, NONE));
        // On a stalled machine, the worker learns too late that the rate ends.
        Assumptions.assumeTrue(clock.getAsLong() < toNs, "the worker was not told in time");

        // Exactly the messages that are due between the changes are sent, however late.
        await("all are sent", () -> totals().sent() == 500);
        assertThat(sentNs(span().firstSentNs())).isGreaterThanOrEqualTo(fromNs);
        assertOwedInAll(500, toNs);
    }

    @Test
    void aChangeReplacesOneThatWasToComeLater() throws Exception {
        prepare(1, 1, 1, 1);
        start(NONE, Long.MAX_VALUE);
        worker.change(new Change(clock.getAsLong() + TimeUnit.HOURS.toNanos(1), UNLIMITED));
        worker.change(new Change(0, RateProfile.steady(1e6)));
        await("many messages are sent", () -> totals().sent() > 1000);
    }

    @Test
    void aChangeThatComesTwiceAsksForNoMoreMessages() throws Exception {
        prepare(1, 1, 1, 1);
        start(NONE, Long.MAX_VALUE);
        Change burst = new Change(clock.getAsLong(), thousandInAMillisecond());
        worker.change(burst);
        worker.change(burst);
        await("all are sent", () -> totals().sent() == 1000);
        worker.change(burst);

        long againNs = clock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(20);
        worker.change(new Change(againNs, thousandInAMillisecond()));
        await("those that are due later are sent", () -> totals().sent() >= 2000);
        assertOwedInAll(2000, againNs + TimeUnit.MILLISECONDS.toNanos(1));
    }

    private static RateProfile thousandInAMillisecond() {
        return new RateProfile(List.of(
                new RateProfile.Segment(TimeUnit.MILLISECONDS.toNanos(1), 1e6, 1e6),
                new RateProfile.Segment(TimeUnit.MILLISECONDS.toNanos(1), 0, 0)));
    }

    /** Asserts how many messages the rates have made due, sent or not, once a time has passed. */
    private void assertOwedInAll(long messages, long afterNs) throws Exception {
        await("the time has passed", () -> clock.getAsLong() > afterNs);
        stop();
        assertThat(totals().sent() + unsentIn(1)).isEqualTo(messages);
    }

    private long unsentIn(int period) throws Exception {
        return worker.period(period).unsent().stream()
                .mapToLong(LatencySnapshot::count)
                .sum();
    }

    private static long sentNs(Optional<Long> time) {
        return time.orElseThrow();
    }

    private LoadSpan span() throws Exception {
        return Objects.requireNonNull(worker.status().load().span(), "the span of the load");
    }

    @Test
    @Smoke
    void probesOpenEveryWayAndAreNotCounted() throws Exception {
        Topology topology = prepare(2, 3, 2, 2);
        await("every way is open", () -> {
            BitSet arrived = worker.probe(new Probe(1, null)).arrived();
            return worker.probe(new Probe(1, arrived)).arrived().cardinality() == topology.probeCount();
        });
        Probed probed = worker.probe(new Probe(1, null));
        assertThat(probed.onTheirWay()).isZero();
        assertThat(probed.error()).isNull();
        assertThat(totals()).isEqualTo(Totals.none(2));
        send(10);
        assertThat(totals()).isEqualTo(new Totals(10, 10, 0, List.of(10L, 10L), 0));
        assertThat(report(worker.finish(), topology).sent()).isEqualTo(10);
    }

    @Test
    void aTopicWhoseWaysAreOpenIsProbedNoMore() throws Exception {
        Topology topology = prepare(2, 1, 1, 1);
        BitSet first = new BitSet();
        first.set(topology.probeIndex(0, 0, 0));

        worker.probe(new Probe(1, first));

        BitSet second = new BitSet();
        second.set(topology.probeIndex(1, 0, 0));
        assertThat(worker.probe(new Probe(1, null)).arrived()).isEqualTo(second);
    }

    @Test
    void askingForProbesAloneSendsNone() throws Exception {
        prepare(1, 1, 1, 1);
        assertThat(worker.probe(new Probe(1, null))).isEqualTo(new Probed(new BitSet(), 0, null));
    }

    @Test
    void probesThatNobodyHasGotAreOnTheirWay() throws Exception {
        system.deliver(copy -> 0);
        prepare(1, 1, 1, 2);
        assertThat(worker.probe(new Probe(1, new BitSet()))).isEqualTo(new Probed(new BitSet(), 2, null));
        assertThat(worker.probe(new Probe(1, null)).onTheirWay()).isEqualTo(2);
    }

    @Test
    void aTopicIsProbedOnceARoundHoweverItsProducersCame() throws Exception {
        system.deliver(copy -> 0);
        RunDescription run = run(topology(2, 1, 3, 1));
        worker.prepare(new Prepare(run, 1, 1));
        worker.prepare(new Prepare(run, 3, 1));
        assertThat(worker.probe(new Probe(1, new BitSet())).onTheirWay()).isEqualTo(2);
    }

    @Test
    void aProbeThatIsRefusedSaysWhy() throws Exception {
        prepare(1, 1, 1, 1);
        system.onSend(number -> {
            throw new IllegalStateException("no leader");
        });
        assertThatThrownBy(() -> worker.probe(new Probe(1, new BitSet()))).hasMessageContaining("no leader");
        assertThat(worker.probe(new Probe(1, null)).arrived().isEmpty()).isTrue();
    }

    @Test
    @Smoke
    void pausedConsumersGetNothingUntilTheyResume() throws Exception {
        Topology topology = prepare(1, 2, 1, 2);
        worker.consume(false);
        worker.consume(false);
        send(100);
        assertThat(totals().received()).containsExactly(0L, 0L);
        assertThat(totals().backlog()).isEqualTo(200);

        worker.consume(true);
        worker.consume(true);

        assertThat(totals().received()).containsExactly(100L, 100L);
        assertThat(report(worker.finish(), topology).lost()).isZero();
    }

    @Test
    void consumersThatComeWhileOthersArePausedGetNothingEither() throws Exception {
        Topology topology = new Topology("run1", 1, 2, 1, 1, 2);
        worker.prepare(new Prepare(run(topology), 1, 1));
        worker.consume(false);
        worker.prepare(new Prepare(run(topology), 1, 2));
        send(100);
        assertThat(totals().received()).containsExactly(0L);

        worker.consume(true);

        assertThat(totals().received()).containsExactly(100L);
        assertThat(report(worker.finish(), topology).lost()).isZero();
    }

    @Test
    void eachPeriodHasWhatCameSinceTheOneBefore() throws Exception {
        prepare(1, 1, 1, 1);
        send(10);
        Period first = worker.period(1);
        send(5);
        Period second = worker.period(2);

        assertThat(first.seen().counts().sent()).isEqualTo(10);
        assertThat(second.seen().counts().sent()).isEqualTo(5);
        assertThat(second.seen().latency(Latency.PUBLISH).count()).isEqualTo(5);
        assertThat(second.seen().totals().sent()).isEqualTo(15);
        assertThat(second.seen().shares().stream().map(PeriodSnapshot.Share::startNs))
                .containsExactlyElementsOf(first.seen().shares().stream()
                        .map(PeriodSnapshot.Share::endNs)
                        .toList());
    }

    @Test
    @Smoke
    void aPeriodThatIsAskedForAgainIsTheSame() throws Exception {
        prepare(1, 1, 1, 1);
        start(RateProfile.steady(1), 100);
        stop();
        send(10);
        Period first = worker.period(1);
        send(5);

        assertThat(worker.period(1)).isEqualTo(first);
        Period second = worker.period(2);
        assertThat(second.seen().counts().sent()).isEqualTo(5);
        assertThat(worker.period(2)).isEqualTo(second);
    }

    @ParameterizedTest
    @CsvSource({"-1", "0", "1", "4"})
    void aPeriodThatDoesNotFollowIsRefusedAndEndsNone(int number) throws Exception {
        prepare(1, 1, 1, 1);
        worker.period(1);
        worker.period(2);
        send(10);
        assertThatThrownBy(() -> worker.period(number))
                .hasMessageContaining("period " + number + " does not follow period 2");
        assertThat(worker.period(3).seen().counts().sent()).isEqualTo(10);
    }

    @Test
    void theFirstPeriodIsTheFirst() throws Exception {
        prepare(1, 1, 1, 1);
        assertThatThrownBy(() -> worker.period(2)).hasMessageContaining("period 2 does not follow period 0");
    }

    @Test
    void whatWasDueAndUnsentIsToldOnceInThePeriodInWhichTheLoadEnded() throws Exception {
        prepare(1, 1, 1, 1);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(1);
        system.onSend(number -> {
            blocked.countDown();
            release.await();
        });
        worker.start(new Start(
                1, clock.getAsLong() - TimeUnit.SECONDS.toNanos(10), RateProfile.steady(100), Long.MAX_VALUE));
        Patience.await("the first send blocks", blocked);
        assertThat(unsentIn(1)).isZero();
        stop();
        assertThat(unsentIn(2)).isGreaterThanOrEqualTo(999);
        assertThat(unsentIn(3)).isZero();
    }

    @Test
    void refusedMessagesAreCountedAndNotExpected() throws Exception {
        system.refuse(number -> number % 10 == 0);
        Topology topology = prepare(1, 1, 1, 1);
        send(100);
        assertThat(totals()).isEqualTo(new Totals(100, 90, 10, List.of(90L), 0));
        assertThat(worker.status().errors()).containsValue(10L);
        AuditReport report = report(worker.finish(), topology);
        assertThat(report.failed()).isEqualTo(10);
        assertThat(report.lost()).isZero();
    }

    @Test
    void lostAndRepeatedMessagesAreFoundByTheAudit() throws Exception {
        system.deliver(copy -> copy.number() == 17 ? 0 : copy.number() == 18 ? 2 : 1);
        Topology topology = prepare(1, 1, 1, 1);
        send(100);
        AuditReport.SubscriptionReport audit =
                report(worker.finish(), topology).subscriptions().get(0);
        assertThat(audit.lost()).isEqualTo(1);
        assertThat(audit.firstLost()).containsExactly("producer 0: 17");
        assertThat(audit.duplicated()).isEqualTo(1);
    }

    @Test
    void contentsOfSeveralSizesAreCheckedAtTheOtherEnd() throws Exception {
        system.damage(copy -> copy.number() == 3);
        Topology topology = topology(1, 1, 2, 1);
        PayloadSpec payloads = new PayloadSpec(
                List.of(),
                List.of(new PayloadSpec.SizeClass(100, 3), new PayloadSpec.SizeClass(2000, 1)),
                4,
                0.5,
                PayloadChecks.END,
                true);
        ClientOptions clients = new ClientOptions(LIMIT, OptionalInt.of(5), Duration.ZERO, false, true, false);
        worker.prepare(everybody(run(topology, payloads, clients)));
        send(1000);
        AuditReport report = report(worker.finish(), topology);
        assertThat(report.damaged()).isEqualTo(1);
        assertThat(report.lost()).isZero();
    }

    @Test
    void theUsersMessagesAreSentEquallyOftenAndTheirBytesAreCounted() throws Exception {
        Topology topology = topology(1, 1, 2, 1);
        PayloadSpec payloads = new PayloadSpec(
                List.of(new byte[100], new byte[2000], new byte[40]), List.of(), 0, 0, PayloadChecks.END, true);
        ClientOptions clients = new ClientOptions(LIMIT, OptionalInt.of(5), Duration.ZERO, false, true, false);
        worker.prepare(everybody(run(topology, payloads, clients)));
        send(60);
        assertThat(worker.period(1).seen().meanMessageBytes()).hasValue((100 + 2000 + 40) / 3.0);
        AuditReport report = report(worker.finish(), topology);
        assertThat(report.damaged()).isZero();
        assertThat(report.lost()).isZero();
    }

    @Test
    @Smoke
    void theFirstCauseOfAFailureIsToldAndNoneOfTheLaterOnes() throws Exception {
        prepare(1, 1, 1, 1);
        assertThat(worker.status().failure()).isNull();
        system.events().fatal(new IOException("first"));
        system.events().fatal(new IOException("second"));
        system.onSend(number -> {
            throw new IllegalStateException("the client is closed");
        });
        startUnlimited();
        awaitAllSent();
        assertThat(failure()).is(saying("first"));

        system.on(Call.CREATE_CONSUMERS, () -> {
            throw new DriverException("cannot create");
        });
        RunDescription run = run(new Topology("run1", 1, 1, 1, 1, 2));
        assertThatThrownBy(() -> worker.prepare(new Prepare(run, 1, 2))).isInstanceOf(DriverException.class);
        stop();
        worker.finish();
        assertThat(failure()).is(saying("first"));
    }

    @Test
    void aFailureWithoutAMessageIsToldByItsKind() throws Exception {
        prepare(1, 1, 1, 1);
        system.events().fatal(new IllegalStateException());
        assertThat(failure()).is(saying("java.lang.IllegalStateException"));
    }

    /** The error's message is only the name of a class, which is not a sentence. */
    @Test
    void anErrorOfTheJvmIsToldWithItsKind() throws Exception {
        prepare(1, 1, 1, 1);
        system.onSend(number -> {
            throw new NoClassDefFoundError("com/example/Codec");
        });
        startUnlimited();
        awaitAllSent();
        assertThat(failure()).is(saying("java.lang.NoClassDefFoundError: com/example/Codec"));
    }

    @Test
    void clientErrorsAreCountedByKindAndAreNotFatal() throws Exception {
        prepare(1, 1, 1, 1);
        system.events().clientError("consumer poll", new IOException("timeout after 500 ms"));
        system.events().clientError("consumer poll", new IOException("timeout after 501 ms"));
        Status status = worker.status();
        assertThat(status.errors()).hasSize(1).containsValue(2L);
        assertThat(status.errors().keySet()).allMatch(kind -> kind.startsWith("consumer poll"));
        assertThat(status.failure()).isNull();
    }

    @Test
    void aSendThatThrowsIsFatal() throws Exception {
        prepare(1, 1, 1, 1);
        system.onSend(number -> {
            if (number == 50) {
                throw new IllegalStateException("the client is closed");
            }
        });
        startUnlimited();
        await("the failure is found", () -> worker.status().failure() != null);
        assertThat(failure()).is(saying("the client is closed"));
        stop();
        assertThat(totals()).isEqualTo(new Totals(51, 50, 1, List.of(50L), 0));
    }

    @Test
    @Smoke
    void aSendThatBlocksForEverIsInterrupted() throws Exception {
        Topology topology = prepare(1, 1, 1, 1);
        CountDownLatch blocked = new CountDownLatch(1);
        system.onSend(number -> {
            if (number == 20) {
                blocked.countDown();
                new CountDownLatch(1).await();
            }
        });
        startUnlimited();
        Patience.await("the send blocks", blocked);

        stop();

        assertThat(worker.status().load().finished()).isTrue();
        assertThat(worker.status().failure()).isNull();
        // The message whose send was interrupted is accounted for.
        assertThat(totals()).isEqualTo(new Totals(21, 20, 1, List.of(20L), 0));
        assertThat(report(worker.finish(), topology).lost()).isZero();
    }

    @Test
    void preparingAgainCreatesNothingThatIsThere() throws Exception {
        RunDescription run = run(topology(2, 1, 2, 2));
        Prepared prepared = worker.prepare(everybody(run));
        List<Call> calls = system.calls();
        assertThat(worker.prepare(everybody(run))).isEqualTo(prepared);
        assertThat(worker.prepare(new Prepare(run, 1, 0)))
                .as("fewer than there are")
                .isEqualTo(prepared);
        assertThat(system.calls()).isEqualTo(calls);
        for (Call call : List.of(Call.CONNECT, Call.CREATE_CONSUMERS, Call.CREATE_PRODUCERS)) {
            assertThat(system.count(call)).as("%s", call).isEqualTo(workers());
        }
        assertThat(calls.indexOf(Call.CREATE_CONSUMERS))
                .as("consumers first")
                .isLessThan(calls.lastIndexOf(Call.CREATE_PRODUCERS));
        assertThat(prepared.machines()).hasSize(workers()).first().satisfies(machine -> {
            assertThat(machine.processors()).isEqualTo(Runtime.getRuntime().availableProcessors());
            assertThat(machine.name()).startsWith("worker 1 (");
        });
        assertThat(prepared.placements().stream().map(Placement::worker))
                .containsExactlyElementsOf(IntStream.range(0, workers()).boxed().toList());
        assertThat(prepared.placements()).allMatch(placement -> placement.workers() == workers());
    }

    @Test
    void aLoadThatIsStartedTwiceIsOne() throws Exception {
        prepare(1, 1, 1, 1);
        Start first = new Start(1, 0, UNLIMITED, 100);
        long beforeNs = clock.getAsLong();
        long startNs = worker.start(first);
        assertThat(startNs).as("its threads need time to start").isGreaterThan(beforeNs);
        assertThat(worker.start(first)).isEqualTo(startNs);
        awaitAllSent();
        assertThat(worker.start(first)).isEqualTo(startNs);
        stop();
        assertThat(worker.start(first)).isEqualTo(startNs);
        assertThat(worker.status().load().finished()).isTrue();
        assertThat(totals().sent()).isEqualTo(100);
        worker.start(new Start(2, 0, UNLIMITED, 10));
        awaitAllSent();
        assertThat(totals().sent()).isEqualTo(110);
    }

    @Test
    void aLoadDoesNotBeginWhileAnotherIsOn() throws Exception {
        prepare(1, 1, 1, 1);
        startUnlimited();
        assertThatThrownBy(() -> worker.start(new Start(2, 0, UNLIMITED, 1)))
                .hasMessageContaining("load 1 is still running");
        assertThat(worker.status().load().finished()).isFalse();
    }

    @Test
    void withoutALoadThereIsNothingToChangeOrStop() throws Exception {
        prepare(1, 1, 1, 1);
        worker.change(new Change(0, UNLIMITED));
        stop();
        assertThat(worker.status().load().finished()).isTrue();
        assertThat(worker.status().load().span()).isNull();
        assertThat(system.sent()).isZero();
    }

    @Test
    void finishingTwiceTellsTheSame() throws Exception {
        prepare(1, 2, 2, 2);
        system.refuse(number -> number == 5);
        system.deliver(copy -> copy.number() % 100 == 17 ? 0 : 1);
        send(1000);
        AuditPart part = worker.finish();
        assertThat(worker.finish()).isEqualTo(part);
        assertThat(system.count(Call.CLOSE_PRODUCER)).isEqualTo(2);
        assertThat(system.count(Call.CLOSE_CONSUMER)).isEqualTo(2);
    }

    @Test
    void aPreparationWithoutClientsOnlyConnects() throws Exception {
        Topology topology = topology(2, 1, 1, 1);
        RunDescription run = run(topology);
        worker.prepare(new Prepare(run, 0, 0));
        assertThat(system.count(Call.CONNECT)).isEqualTo(workers());
        assertThat(system.count(Call.CREATE_PRODUCERS) + system.count(Call.CREATE_CONSUMERS))
                .isZero();

        worker.prepare(everybody(run));
        send(100);
        assertThat(report(worker.finish(), topology).lost()).isZero();
        assertThat(system.count(Call.CONNECT)).isEqualTo(workers());
    }

    @Test
    void clientsThatComeWhileALoadIsOnAreOfTheNext() throws Exception {
        Topology topology = new Topology("run1", 2, 2, 3, 1, 2);
        RunDescription run = run(topology);
        worker.prepare(new Prepare(run, 1, 1));
        startUnlimited();
        await("messages are sent", () -> totals().sent() > 100);

        worker.prepare(new Prepare(run, 3, 2));

        long sent = totals().sent();
        assertThat(worker.status().load().finished()).isFalse();
        await("the load goes on", () -> totals().sent() > sent);
        stop();
        long before = totals().sent();
        send(600);

        assertThat(system.count(Call.CONNECT)).isEqualTo(workers());
        AuditPart part = worker.finish();
        assertThat(part.dispatches())
                .filteredOn(ofProducer -> ofProducer.producer() % 3 > 0)
                .hasSize(4)
                .allSatisfy(ofNew -> assertThat(ofNew.sent()).isEqualTo(100));
        AuditReport report = report(part, topology);
        assertThat(report.sent()).isEqualTo(before + 600);
        assertThat(report.lost()).isZero();
        assertThat(system.count(Call.CLOSE_PRODUCER)).isEqualTo(6);
        assertThat(system.count(Call.CLOSE_CONSUMER)).isEqualTo(4);
    }

    @Test
    void aPreparationThatFailedGoesOnWhereItStopped() throws Exception {
        system.on(Call.CREATE_PRODUCERS, () -> {
            throw new DriverException("no quota");
        });
        assertThatThrownBy(() -> prepare(1, 1, 1, 1))
                .isInstanceOf(DriverException.class)
                .message()
                .is(saying("no quota"));
        system.on(Call.CREATE_PRODUCERS, () -> {});
        prepare(1, 1, 1, 1);
        send(10);
        assertThat(totals().received()).containsExactly(10L);
        assertThat(system.count(Call.CONNECT)).isEqualTo(workers());
        assertThat(system.count(Call.CREATE_CONSUMERS)).isEqualTo(1);
    }

    @ParameterizedTest
    @Smoke
    @EnumSource(
            value = Call.class,
            names = {"CONNECT", "CREATE_CONSUMERS", "CREATE_PRODUCERS"})
    void anErrorOfTheJvmInARequestIsReported(Call call) throws Exception {
        system.on(call, () -> {
            throw new NoClassDefFoundError("com/example/Client");
        });
        assertThatThrownBy(() -> prepare(1, 1, 1, 1)).hasMessageContaining("com/example/Client");
        worker.close();
        assertThat(system.count(Call.CLOSE)).isEqualTo(call == Call.CONNECT ? 0 : system.count(Call.CONNECT));
    }

    @Test
    void messagesThatCannotBeMadeLeaveNoConnectionOpen() throws Exception {
        RunDescription run = run(topology(1, 1, 1, 1), PayloadSpec.text(-1), ClientOptions.plain(LIMIT));
        assertThatThrownBy(() -> worker.prepare(everybody(run))).hasMessageContaining("-1");
        worker.close();
        assertThat(system.count(Call.CLOSE)).isEqualTo(system.count(Call.CONNECT));
    }

    @ParameterizedTest
    @Smoke
    @EnumSource(
            value = Call.class,
            names = {"CONNECT", "CREATE_CONSUMERS", "CREATE_PRODUCERS"})
    void anInterruptEndsAPreparation(Call call) throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        system.on(call, () -> {
            entered.countDown();
            new CountDownLatch(1).await();
        });
        FutureTask<Throwable> preparing = new FutureTask<>(() -> catchThrowable(() -> prepare(1, 1, 1, 1)));
        Thread thread = new Thread(preparing, "preparing");
        thread.start();
        Patience.await("the driver is called", entered);

        thread.interrupt();

        assertThat(Patience.get("the end of the preparation", preparing)).isInstanceOf(InterruptedException.class);
        worker.close();
        assertThat(system.count(Call.CLOSE)).isEqualTo(call == Call.CONNECT ? 0 : system.count(Call.CONNECT));
    }

    @Test
    void anInterruptedStopCanBeAskedForAgain() throws Exception {
        prepare(1, 1, 1, 1);
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        system.onSend(number -> {
            blocked.countDown();
            release.await();
        });
        startUnlimited();
        Patience.await("the send blocks", blocked);

        Thread.currentThread().interrupt();
        assertThatThrownBy(this::stop).isInstanceOf(InterruptedException.class);
        assertThat(worker.status().load().finished()).isFalse();

        system.onSend(number -> {});
        release.countDown();
        await("the send has returned", () -> totals().acknowledged() > 0);
        stop();
        assertThat(worker.status().load().finished()).isTrue();
        assertThat(worker.status().failure()).isNull();
        Totals totals = totals();
        assertThat(totals).isEqualTo(new Totals(totals.sent(), totals.sent(), 0, List.of(totals.sent()), 0));
        assertThat(system.sent()).as("nothing more is sent").isEqualTo(totals.sent());
    }

    @Test
    @Smoke
    void everyClientIsClosedOnce() throws Exception {
        prepare(2, 1, 2, 3);
        worker.finish();
        worker.close();
        worker.close();

        assertThat(system.count(Call.CLOSE_PRODUCER)).isEqualTo(4);
        assertThat(system.count(Call.CLOSE_CONSUMER)).isEqualTo(6);
        assertThat(system.count(Call.CLOSE)).isEqualTo(workers());
        List<Call> calls = system.calls();
        assertThat(workers() > 1 ? calls.indexOf(Call.CLOSE_PRODUCER) : calls.lastIndexOf(Call.CLOSE_PRODUCER))
                .as("producers first, at each worker")
                .isLessThan(
                        workers() > 1 ? calls.lastIndexOf(Call.CLOSE_CONSUMER) : calls.indexOf(Call.CLOSE_CONSUMER));
        assertThat(calls).endsWith(Call.CLOSE);
    }

    @Test
    void closingAloneEndsTheLoadAndClosesEverything() throws Exception {
        prepare(1, 1, 2, 1);
        startUnlimited();
        await("messages are sent", () -> system.sent() > 100);

        worker.close();

        long sent = system.sent();
        assertThat(system.count(Call.CLOSE_PRODUCER)).isEqualTo(2);
        assertThat(system.count(Call.CLOSE_CONSUMER)).isEqualTo(1);
        assertThat(system.count(Call.CLOSE)).isEqualTo(workers());
        assertThat(system.sent()).isEqualTo(sent);
    }

    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"CLOSE_PRODUCER", "CLOSE_CONSUMER"})
    void aClientThatCannotBeClosedIsReportedButTheOthersAreClosed(Call call) throws Exception {
        prepare(1, 1, 2, 2);
        system.on(call, () -> {
            throw new DriverException("cannot close");
        });
        assertThatThrownBy(worker::finish)
                .isInstanceOf(DriverException.class)
                .message()
                .is(saying("cannot close"));
        assertThat(system.count(Call.CLOSE_PRODUCER)).isEqualTo(2);
        assertThat(system.count(Call.CLOSE_CONSUMER)).isEqualTo(2);
        worker.close();
        assertThat(system.count(Call.CLOSE)).isEqualTo(workers());
    }

    @Test
    void aConnectionThatCannotBeClosedIsReported() throws Exception {
        prepare(1, 1, 1, 1);
        system.on(Call.CLOSE, () -> {
            throw new DriverException("still busy");
        });
        assertThatThrownBy(worker::close)
                .isInstanceOf(DriverException.class)
                .message()
                .is(saying("still busy"));
    }

    @Test
    void usageIsOfTheWorkersProcess() throws Exception {
        prepare(1, 1, 1, 1);
        assertThat(worker.status().usage()).hasSize(workers());
        HarnessUsage usage = worker.status().usage().get(0);
        assertThat(usage.cpuNs()).isPositive();
        assertThat(usage.processors()).isEqualTo(Runtime.getRuntime().availableProcessors());
    }
}
