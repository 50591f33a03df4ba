package io.openmessaging.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.suite.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MeasurementsTest {

    private static final long START_NS = 1_700_000_000_000_000_000L;
    private static final int SUBSCRIPTIONS = 2;

    private final AtomicLong clock = new AtomicLong(START_NS);
    private final Measurements measurements = new Measurements(clock::get, SUBSCRIPTIONS);
    private final PublishStats publisher = measurements.newPublisher();

    private void passes(long ns) {
        clock.addAndGet(ns);
    }

    private static long onlyValueNs(PeriodSnapshot period, Latency latency) {
        LatencySummary summary = period.latency(latency).summary();
        assertThat(summary.count()).as("%s samples", latency).isEqualTo(1);
        return Math.round(summary.meanNs());
    }

    @Test
    void everyLatencyIsMeasuredBetweenItsTwoTimes() {
        long intendedNs = START_NS + 100;
        long sentNs = START_NS + 250;
        publisher.sent(100, intendedNs, sentNs);
        passes(1_000);
        measurements.acknowledged(intendedNs, sentNs);
        measurements.received(0, START_NS + 2_000, intendedNs, sentNs);
        PeriodSnapshot period = measurements.sample();
        assertThat(onlyValueNs(period, Latency.SEND_DELAY)).isEqualTo(150);
        assertThat(onlyValueNs(period, Latency.PUBLISH)).isEqualTo(750);
        assertThat(onlyValueNs(period, Latency.SCHEDULED_PUBLISH)).isEqualTo(900);
        assertThat(onlyValueNs(period, Latency.END_TO_END)).isEqualTo(1_750);
        assertThat(onlyValueNs(period, Latency.SCHEDULED_END_TO_END)).isEqualTo(1_900);
    }

    /** The bytes match the count, however long it takes to read the latencies meanwhile. */
    @Test
    void bytesAreThoseOfTheMessagesThatAreCounted() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        Thread sender = new Thread(() -> {
            while (!ended.get()) {
                publisher.sent(60, START_NS, START_NS);
            }
        });
        sender.start();
        try {
            for (int i = 0; i < 100; i++) {
                PeriodSnapshot period = measurements.sample();
                period.meanMessageBytes()
                        .ifPresent(mean -> assertThat(mean * period.counts().sent())
                                .isCloseTo(60.0 * period.counts().sent(), within(2 * 60.0)));
            }
        } finally {
            ended.set(true);
            Patience.join(sender);
        }
    }

    @Test
    void aMessageSentWhenItWasToBeHasTheSameLatencyFromBothTimes() {
        publisher.sent(100, START_NS + 400, START_NS + 400);
        passes(1_000);
        measurements.acknowledged(START_NS + 400, START_NS + 400);
        measurements.received(0, START_NS + 2_000, START_NS + 400, START_NS + 400);
        PeriodSnapshot period = measurements.sample();
        assertThat(onlyValueNs(period, Latency.SEND_DELAY)).isZero();
        assertThat(onlyValueNs(period, Latency.PUBLISH)).isEqualTo(600);
        assertThat(onlyValueNs(period, Latency.SCHEDULED_PUBLISH)).isEqualTo(600);
        assertThat(onlyValueNs(period, Latency.END_TO_END)).isEqualTo(1_600);
        assertThat(onlyValueNs(period, Latency.SCHEDULED_END_TO_END)).isEqualTo(1_600);
    }

    @Test
    void whatStaysOnTheWorkerIsToldApartAndAmongAll() {
        measurements.keepControl();
        measurements.received(0, START_NS + 2_000, START_NS + 100, START_NS + 250);
        measurements.receivedFromOther(0, START_NS + 2_000, START_NS + 1_000, START_NS + 1_000, 10);
        measurements.receivedFromOther(1, START_NS + 2_000, START_NS + 2_003, START_NS + 2_005, 10);
        PeriodSnapshot period = measurements.sample();
        assertThat(period.control()).containsOnlyKeys(Latency.END_TO_END, Latency.SCHEDULED_END_TO_END);
        assertThat(period.control(Latency.END_TO_END).summary().atNs(50)).isEqualTo(1_750);
        assertThat(period.control(Latency.END_TO_END).count()).isEqualTo(1);
        assertThat(period.control(Latency.END_TO_END).negativeCount()).isZero();
        assertThat(period.control(Latency.SCHEDULED_END_TO_END).sumNs()).isEqualTo(1_900);
        assertThat(period.latency(Latency.END_TO_END).count()).isEqualTo(3);
        assertThat(period.latency(Latency.END_TO_END).sumNs()).isEqualTo(1_750 + 1_000);
        assertThat(period.latency(Latency.SCHEDULED_END_TO_END).sumNs()).isEqualTo(1_900 + 1_000);
        assertThat(period.latency(Latency.END_TO_END).negativeCount()).isEqualTo(1);
        assertThat(period.latency(Latency.END_TO_END).histogram().getCountAtValue(0))
                .isEqualTo(1);
        assertThat(period.counts().impossible()).isZero();
        assertThat(period.counts().received()).containsExactly(2L, 1L);

        measurements.received(0, START_NS + 3_000, START_NS + 3_001, START_NS + 3_001);
        PeriodSnapshot next = measurements.sample();
        assertThat(next.control(Latency.END_TO_END)).isEqualTo(next.latency(Latency.END_TO_END));
        assertThat(next.control(Latency.END_TO_END).count()).isEqualTo(1);
        assertThat(next.counts().impossible()).as("on one clock").isEqualTo(1);
    }

    @Test
    void aWorkerThatIsAloneNeedsNoControlSample() {
        measurements.received(0, START_NS + 2_000, START_NS + 100, START_NS + 250);
        assertThat(measurements.sample().control()).isEmpty();
    }

    @Test
    void theCopiesOfSubscriptionsAreCountedApart() {
        for (int i = 0; i < 5; i++) {
            publisher.sent(100, clock.get(), clock.get());
            measurements.received(0, clock.get(), clock.get(), clock.get());
        }
        measurements.received(1, clock.get(), clock.get(), clock.get());
        assertThat(measurements.totals()).isEqualTo(new Totals(5, 0, 0, List.of(5L, 1L), 0));
        assertThat(measurements.totals().backlog()).isEqualTo(4);
    }

    @Test
    void aTimeThatWasNotStampedIsNotMeasuredButTheMessageIsCounted() {
        measurements.received(1, clock.get(), Measurements.NOT_STAMPED, clock.get() - 300);
        measurements.received(1, clock.get(), Measurements.NOT_STAMPED, Measurements.NOT_STAMPED);
        PeriodSnapshot period = measurements.sample();
        assertThat(period.counts().received()).containsExactly(0L, 2L);
        assertThat(onlyValueNs(period, Latency.END_TO_END)).isEqualTo(300);
        assertThat(period.latency(Latency.SCHEDULED_END_TO_END).count()).isZero();
    }

    @Test
    void failuresAreCountedWithTheirKindAndNotTimed() {
        publisher.sent(100, clock.get(), clock.get());
        measurements.failed(new IllegalStateException("queue 7 is full"));
        PeriodSnapshot period = measurements.sample();
        assertThat(period.counts()).isEqualTo(new Totals(1, 0, 1, List.of(0L, 0L), 0));
        assertThat(period.latency(Latency.PUBLISH).count()).isZero();
        assertThat(measurements.errors().byKind())
                .containsExactly(Map.entry("send: IllegalStateException: queue 7 is full", 1L));
    }

    @Test
    void unknownArrivalsAreCountedApart() {
        measurements.receivedUnknown();
        assertThat(measurements.totals()).isEqualTo(new Totals(0, 0, 0, List.of(0L, 0L), 1));
        assertThat(measurements.sample().latency(Latency.END_TO_END).count()).isZero();
    }

    @Test
    void aPeriodHasTheMeanSizeOfWhatWasSentInIt() {
        assertThat(measurements.sample().meanMessageBytes()).isEmpty();
        publisher.sent(100, START_NS, START_NS);
        passes(10);
        PeriodSnapshot first = measurements.sample().withStalls(LatencySnapshot.empty());
        measurements.newPublisher().sent(500, START_NS, START_NS);
        publisher.sent(100, START_NS, START_NS);
        passes(10);
        PeriodSnapshot second = measurements.sample();
        assertThat(first.meanMessageBytes()).hasValue(100);
        assertThat(second.meanMessageBytes()).hasValue(300);
        assertThat(first.followedBy(second).meanMessageBytes()).hasValue(700 / 3.0);
        assertThat(PeriodSnapshot.merged(List.of(first, second)).meanMessageBytes())
                .hasValue(700 / 3.0);
    }

    @Test
    void aPeriodGoesFromSampleToSample() {
        publisher.sent(100, clock.get(), clock.get());
        passes(10);
        PeriodSnapshot first = measurements.sample();
        publisher.sent(100, clock.get(), clock.get());
        publisher.sent(100, clock.get(), clock.get());
        measurements.acknowledged(clock.get(), clock.get());
        passes(7);
        PeriodSnapshot second = measurements.sample();
        PeriodSnapshot third = measurements.sample();
        assertThat(first.startNs()).isEqualTo(START_NS);
        assertThat(first.endNs()).isEqualTo(START_NS + 10).isEqualTo(second.startNs());
        assertThat(second.endNs()).isEqualTo(START_NS + 17);
        assertThat(first.counts().sent()).isEqualTo(1);
        assertThat(second.counts()).isEqualTo(new Totals(2, 1, 0, List.of(0L, 0L), 0));
        assertThat(second.totals()).isEqualTo(new Totals(3, 1, 0, List.of(0L, 0L), 0));
        assertThat(second.latency(Latency.SEND_DELAY).count()).isEqualTo(2);
        assertThat(third.counts()).isEqualTo(Totals.none(SUBSCRIPTIONS));
        assertThat(third.latency(Latency.SEND_DELAY).count()).isZero();
    }

    @Test
    void aHundredThreadsLoseNoCountAndThePeriodsAddUp() throws InterruptedException {
        int threads = 100;
        int messagesEach = 5_000;
        PeriodSnapshot sum = measurements.sample();
        List<Thread> callers = startAll(threads, thread -> {
            for (int i = 0; i < messagesEach; i++) {
                measurements.acknowledged(clock.get() - i, clock.get() - i);
                measurements.received(thread % SUBSCRIPTIONS, clock.get(), clock.get() - i, clock.get() - i);
                if (i % 10 == 0) {
                    measurements.failed(new IllegalStateException("refused"));
                    measurements.receivedUnknown();
                }
            }
        });
        while (callers.stream().anyMatch(Thread::isAlive)) {
            sum = sum.followedBy(measurements.sample());
        }
        sum = sum.followedBy(measurements.sample());

        long messages = (long) threads * messagesEach;
        Totals expected = new Totals(0, messages, messages / 10, List.of(messages / 2, messages / 2), messages / 10);
        assertThat(measurements.totals()).isEqualTo(expected);
        assertThat(sum.counts()).isEqualTo(expected);
        for (Latency latency : Latency.values()) {
            LatencySummary summary = sum.latency(latency).summary();
            if (latency == Latency.SEND_DELAY) {
                assertThat(summary.count()).isZero();
            } else {
                assertThat(summary.count()).as("%s samples", latency).isEqualTo(messages);
                assertThat(summary.meanNs()).as("%s mean", latency).isEqualTo((messagesEach - 1) / 2.0);
            }
        }
    }

    @Test
    void noReadingFindsMoreAcknowledgedThanSentOrMoreReceivedThanSent() throws InterruptedException {
        int messages = 2_000_000;
        List<Thread> sender = startAll(1, thread -> {
            for (int i = 0; i < messages; i++) {
                publisher.sent(100, START_NS, START_NS);
                measurements.acknowledged(START_NS, START_NS);
                measurements.received(0, START_NS, START_NS, START_NS);
            }
        });
        List<Totals> impossible = new ArrayList<>();
        while (sender.get(0).isAlive()) {
            Totals totals = measurements.totals();
            if (totals.inFlight() < 0 || totals.received().get(0) > totals.sent()) {
                impossible.add(totals);
            }
        }
        assertThat(impossible).isEmpty();
        assertThat(measurements.totals().sent()).isEqualTo(messages);
    }

    private interface Caller {
        void call(int thread);
    }

    private static List<Thread> startAll(int count, Caller caller) throws InterruptedException {
        CountDownLatch started = new CountDownLatch(count);
        List<Thread> threads = LongStream.range(0, count)
                .mapToObj(i -> new Thread(() -> {
                    started.countDown();
                    caller.call((int) i);
                }))
                .toList();
        threads.forEach(Thread::start);
        Patience.await("the start of all threads", started);
        return threads;
    }

    @Test
    void keepsTheSpanOfALoadIfAskedTo() {
        Measurements stamped = Measurements.stamped(clock::get, SUBSCRIPTIONS);
        long beginNs = clock.get();
        PublishStats warmUp = stamped.newPublisher();
        warmUp.sent(100, beginNs, beginNs + 1);
        acknowledge(stamped, beginNs + 4, beginNs + 1);
        stamped.received(0, beginNs + 5, beginNs, beginNs + 1);
        clock.set(beginNs + 10);
        stamped.beginLoad();
        assertThat(stamped.loadSpan()).isEmpty();
        stamped.received(0, beginNs + 11, beginNs, beginNs + 1);
        assertThat(stamped.loadSpan())
                .as("where nothing is sent, what arrives is of others")
                .contains(new LoadSpan(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(beginNs + 11)));

        PublishStats first = stamped.newPublisher();
        PublishStats second = stamped.newPublisher();
        PublishStats idle = stamped.newPublisher();
        first.sent(100, beginNs + 20, beginNs + 21);
        assertThat(stamped.loadSpan())
                .contains(new LoadSpan(
                        Optional.of(beginNs + 21),
                        Optional.of(beginNs + 21),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()));
        // This is a late message of the previous load.
        acknowledge(stamped, beginNs + 22, beginNs + 2);
        acknowledge(stamped, beginNs + 25, beginNs + 21);
        second.sent(100, beginNs + 20, beginNs + 30);
        second.sent(100, beginNs + 20, beginNs + 40);
        first.sent(100, beginNs + 20, beginNs + 35);
        acknowledge(stamped, beginNs + 48, beginNs + 35);
        stamped.received(0, beginNs + 50, beginNs, beginNs + 1);
        assertThat(stamped.loadSpan())
                .contains(new LoadSpan(
                        Optional.of(beginNs + 21),
                        Optional.of(beginNs + 40),
                        Optional.of(beginNs + 25),
                        Optional.of(beginNs + 48),
                        Optional.of(beginNs + 50)));
        assertThat(idle).isNotNull();
        assertThat(stamped.totals().sent()).isEqualTo(5);
        assertThat(measurements.loadSpan()).isEmpty();
    }

    private void acknowledge(Measurements stamped, long nowNs, long sentNs) {
        clock.set(nowNs);
        stamped.acknowledged(sentNs, sentNs);
    }

    private static LoadSpan span(long firstSentNs, long lastSentNs, long firstAckNs, long lastAckNs) {
        return new LoadSpan(
                Optional.of(firstSentNs),
                Optional.of(lastSentNs),
                Optional.of(firstAckNs),
                Optional.of(lastAckNs),
                Optional.empty());
    }

    @Test
    void publishingTakesAsLongAsSendingOrAsConfirming() {
        // Confirmed as fast as it was sent, each message half a millisecond later.
        assertThat(span(1_000, 2_000, 501_000, 502_000).publishNs()).isEqualTo(1_000);
        // Confirmed all at once, in a batch.
        assertThat(span(1_000, 2_000, 2_100, 2_100).publishNs()).isEqualTo(1_000);
        // The client accepted the messages much faster than the system did.
        assertThat(span(1_000, 2_000, 1_500, 9_500).publishNs()).isEqualTo(8_000);
        assertThat(new LoadSpan(
                                Optional.of(1_000L),
                                Optional.of(2_000L),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty())
                        .publishNs())
                .isEqualTo(1_000);
    }

    @Test
    void aSpanIsMergedWithThatOfAnotherWorker() {
        LoadSpan span =
                new LoadSpan(Optional.of(10L), Optional.of(20L), Optional.of(12L), Optional.of(22L), Optional.of(25L));
        assertThat(span.mergedWith(new LoadSpan(
                        Optional.of(5L), Optional.of(15L), Optional.of(11L), Optional.of(21L), Optional.of(30L))))
                .isEqualTo(new LoadSpan(
                        Optional.of(5L), Optional.of(20L), Optional.of(11L), Optional.of(22L), Optional.of(30L)));
        assertThat(span.mergedWith(new LoadSpan(
                        Optional.of(5L), Optional.of(15L), Optional.empty(), Optional.empty(), Optional.empty())))
                .isEqualTo(new LoadSpan(
                        Optional.of(5L), Optional.of(20L), Optional.of(12L), Optional.of(22L), Optional.of(25L)));
    }
}
