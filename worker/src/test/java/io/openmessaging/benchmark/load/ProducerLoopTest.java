package io.openmessaging.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.audit.ProducerAudit;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.Measurements;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProducerLoopTest {

    private static final long MS_NS = 1_000_000;
    private static final long SECOND_NS = 1_000 * MS_NS;
    private static final long START_NS = 1_700_000_000L * SECOND_NS;
    private static final long SPIN_NS = 100;
    private static final double UNLIMITED = Double.POSITIVE_INFINITY;

    /** Time that passes by waiting and when the fake client advances it. */
    private final AtomicLong virtualNs = new AtomicLong(START_NS);

    private final Pacer virtualPacer = new Pacer(new Pacer.Idle() {
        @Override
        public void park(long durationNs) {
            virtualNs.addAndGet(durationNs);
        }

        @Override
        public void spin() {
            virtualNs.addAndGet(SPIN_NS);
        }
    });

    private final Measurements measurements = new Measurements(virtualNs::get, 0);
    private final List<LoadedProducer> producers = new ArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final AtomicReference<ProducerLoop> running = new AtomicReference<>();

    private FakeProducer client(FakeProducer.Reaction reaction) {
        FakeProducer client = new FakeProducer(reaction);
        producers.add(new LoadedProducer(
                client, new ProducerAudit(producers.size()), measurements, MessageHeader.Layout.FULL, 1));
        return client;
    }

    private FakeProducer acknowledgingClient() {
        return client(message -> message.callback().acknowledged());
    }

    private ProducerLoop start(double rateMsgPerSec, long quota) {
        return start(START_NS, rateMsgPerSec, quota, virtualNs::get, virtualPacer);
    }

    private ProducerLoop startInRealTime(double rateMsgPerSec, long quota) {
        return start(System.nanoTime(), rateMsgPerSec, quota, System::nanoTime, new Pacer());
    }

    private ProducerLoop start(long startNs, double rateMsgPerSec, long quota, LongSupplier clock, Pacer pacer) {
        ProducerLoop loop = new ProducerLoop(
                "producer-under-test",
                new ProducerLoop.Work(
                        producers,
                        Schedule.even(startNs, rateMsgPerSec),
                        quota,
                        Payloads.of(List.of(new byte[64]), false, producers.size(), 0),
                        KeyDistributor.none()),
                measurements.newPublisher(),
                clock,
                pacer,
                failures::add);
        running.set(loop);
        loop.start();
        return loop;
    }

    private ProducerLoop theLoop() {
        ProducerLoop loop = running.get();
        assertThat(loop).as("the loop, which is set before it starts").isNotNull();
        return loop;
    }

    private static void awaitEnd(ProducerLoop loop) throws InterruptedException {
        assertThat(loop.awaitEnd(Patience.LIMIT.toMillis()))
                .as("the loop ended")
                .isTrue();
        assertThat(loop.ended()).isTrue();
    }

    /** Returns the audit report of the sends of all producers. */
    private AuditReport report() {
        List<AuditPart.Dispatches> dispatches = producers.stream()
                .map(producer -> producer.audit().dispatches())
                .toList();
        return AuditReport.of(List.of(new AuditPart(dispatches, List.of())), Map.of(), 0, AuditReport.WaitEnd.SETTLED);
    }

    private static List<Long> intendedNs(FakeProducer client) {
        return client.messages.stream().map(FakeProducer.Message::intendedNs).toList();
    }

    @AfterEach
    void endTheLoop() throws InterruptedException {
        ProducerLoop loop = running.get();
        if (loop != null && !loop.ended()) {
            loop.interrupt();
            awaitEnd(loop);
        }
    }

    @Test
    void messagesAreSentAtTheTimesOfTheSchedule() throws InterruptedException {
        FakeProducer client = acknowledgingClient();
        awaitEnd(start(1_000, 500));
        assertThat(intendedNs(client))
                .isEqualTo(LongStream.range(0, 500)
                        .mapToObj(i -> START_NS + i * MS_NS)
                        .toList());
        assertThat(client.messages)
                .allSatisfy(message ->
                        assertThat(message.sentNs() - message.intendedNs()).isBetween(0L, SPIN_NS));
        assertThat(failures).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 1_000, 4_321})
    void exactlyTheQuotaIsSent(long quota) throws InterruptedException {
        FakeProducer client = acknowledgingClient();
        awaitEnd(start(UNLIMITED, quota));
        assertThat(client.messages).hasSize((int) quota);
        assertThat(measurements.totals().sent()).isEqualTo(quota);
        assertThat(measurements.totals().acknowledged()).isEqualTo(quota);
        assertThat(report().sent()).isEqualTo(quota);
    }

    @Test
    void producersSendInTurn() throws InterruptedException {
        List<Integer> turns = new ArrayList<>();
        List<FakeProducer> clients = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            clients.add(client(message -> turns.add(MessageHeader.producer(message.payload()))));
        }
        awaitEnd(start(1_000, 8));
        assertThat(turns).containsExactly(0, 1, 2, 0, 1, 2, 0, 1);
        assertThat(clients.get(0).messages.stream().map(FakeProducer.Message::sequence))
                .containsExactly(0L, 1L, 2L);
        assertThat(clients.get(2).messages.stream().map(FakeProducer.Message::sequence))
                .containsExactly(0L, 1L);
    }

    @Test
    void aSendThatBlocksDoesNotShiftTheSchedule() throws InterruptedException {
        FakeProducer client = client(message -> {
            if (message.sequence() == 2) {
                virtualNs.addAndGet(10 * MS_NS);
            }
            message.callback().acknowledged();
        });
        awaitEnd(start(1_000, 20));
        assertThat(intendedNs(client))
                .isEqualTo(LongStream.range(0, 20)
                        .mapToObj(i -> START_NS + i * MS_NS)
                        .toList());
        // Messages 3 to 12 became due while message 2 blocked. They were then sent at once, the first one 9 ms late.
        for (int i = 3; i <= 12; i++) {
            assertThat(client.messages.get(i).sentNs())
                    .as("message %d", i)
                    .isBetween(START_NS + 12 * MS_NS, START_NS + 12 * MS_NS + SPIN_NS);
        }
    }

    @Test
    void latenciesAreMeasuredFromTheActualAndTheIntendedSend() throws InterruptedException {
        client(message -> {
            virtualNs.addAndGet(3 * MS_NS);
            message.callback().acknowledged();
        });
        awaitEnd(start(1_000, 3));
        PeriodSnapshot period = measurements.sample();
        // Each send takes 3 ms and a message is due every 1 ms, so they are sent 0, 2 and 4 ms late.
        assertThat(period.latency(Latency.SEND_DELAY).sumNs()).isEqualTo(6.0 * MS_NS);
        assertThat(period.latency(Latency.PUBLISH).sumNs()).isEqualTo(9.0 * MS_NS);
        assertThat(period.latency(Latency.SCHEDULED_PUBLISH).sumNs()).isEqualTo(15.0 * MS_NS);
    }

    @Test
    void withoutALimitTheActualSendIsTheIntendedOne() throws InterruptedException {
        FakeProducer client = client(message -> virtualNs.addAndGet(7));
        awaitEnd(start(UNLIMITED, 100));
        assertThat(client.messages).allMatch(message -> message.sentNs() == message.intendedNs());
        assertThat(measurements.sample().latency(Latency.SEND_DELAY).sumNs()).isZero();
    }

    @Test
    void aNewRateCountsFromItsMoment() throws InterruptedException {
        FakeProducer client = client(message -> {
            if (message.sequence() == 4) {
                theLoop().changeRate(virtualNs.get() + MS_NS / 2, RateProfile.steady(100));
            }
        });
        awaitEnd(start(1_000, 8));
        assertThat(intendedNs(client).subList(5, 8))
                .containsExactly(
                        START_NS + 4 * MS_NS + MS_NS / 2 + 5 * MS_NS,
                        START_NS + 4 * MS_NS + MS_NS / 2 + 15 * MS_NS,
                        START_NS + 4 * MS_NS + MS_NS / 2 + 25 * MS_NS);
    }

    @Test
    void allRatesThatWereInForceWhileASendBlockedAreOwed() throws InterruptedException {
        FakeProducer client = client(message -> {
            if (message.sequence() == 0) {
                theLoop().changeRate(START_NS + SECOND_NS, RateProfile.steady(100));
                theLoop().changeRate(START_NS + 3 * SECOND_NS, RateProfile.steady(10));
                virtualNs.addAndGet(5 * SECOND_NS);
            }
        });
        awaitEnd(start(5, 230));
        List<Long> intended = intendedNs(client);
        assertThat(intended).filteredOn(ns -> ns < START_NS + SECOND_NS).hasSize(5);
        assertThat(intended).filteredOn(ns -> ns < START_NS + 3 * SECOND_NS).hasSize(5 + 200);
        assertThat(intended).filteredOn(ns -> ns < START_NS + 5 * SECOND_NS).hasSize(5 + 200 + 20);
    }

    @Test
    void nothingIsSentAtARateThatEndedWhileTheThreadStoodStill() throws InterruptedException {
        FakeProducer client = acknowledgingClient();
        AtomicInteger readings = new AtomicInteger();
        LongSupplier standingStill = () -> {
            if (readings.incrementAndGet() == 10) {
                theLoop().changeRate(START_NS + MS_NS, RateProfile.steady(0));
                virtualNs.addAndGet(SECOND_NS);
            }
            return virtualNs.get();
        };
        ProducerLoop loop = start(START_NS, UNLIMITED, Long.MAX_VALUE, standingStill, virtualPacer);
        Patience.until("the loop to go on", () -> readings.get() > 20);
        loop.stop();
        awaitEnd(loop);
        assertThat(client.messages).isNotEmpty().allMatch(message -> message.sentNs() == START_NS);
    }

    @Test
    void stopEndsALoopThatSends() throws InterruptedException {
        CountDownLatch sending = new CountDownLatch(100);
        FakeProducer client = client(message -> sending.countDown());
        ProducerLoop loop = start(1_000, Long.MAX_VALUE);
        Patience.await("a hundred messages", sending);
        assertThat(loop.ended()).isFalse();
        loop.stop();
        awaitEnd(loop);
        assertThat(measurements.totals().sent()).isEqualTo(client.messages.size());
        assertThat(failures).isEmpty();
    }

    @Test
    void stopEndsALoopThatHasNothingToSend() throws InterruptedException {
        FakeProducer client = acknowledgingClient();
        ProducerLoop loop = startInRealTime(0, Long.MAX_VALUE);
        assertThat(loop.awaitEnd(1)).as("ended by itself").isFalse();
        loop.stop();
        awaitEnd(loop);
        assertThat(client.messages).isEmpty();
    }

    @Test
    void aChangeOfTheRateWakesALoopThatWaits() throws InterruptedException {
        CountDownLatch sent = new CountDownLatch(3);
        client(message -> sent.countDown());
        ProducerLoop loop = startInRealTime(0, Long.MAX_VALUE);
        loop.changeRate(System.nanoTime(), RateProfile.steady(1_000));
        Patience.await("three messages", sent);
    }

    @Test
    void inRealTimeNoMessageIsSentBeforeItsTime() throws InterruptedException {
        FakeProducer client = acknowledgingClient();
        awaitEnd(startInRealTime(2_000, 400));
        assertThat(client.messages).hasSize(400).allMatch(message -> message.sentNs() >= message.intendedNs());
        long firstNs = client.messages.get(0).intendedNs();
        assertThat(client.messages.get(399).intendedNs() - firstNs).isEqualTo(399 * MS_NS / 2);
    }

    @Test
    void anInterruptEndsASendThatBlocksAndItsMessageHasFailed() throws InterruptedException {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        client(message -> {
            if (message.sequence() == 5) {
                blocked.countDown();
                never.await();
            }
            message.callback().acknowledged();
        });
        ProducerLoop loop = startInRealTime(UNLIMITED, Long.MAX_VALUE);
        Patience.await("a send that blocks", blocked);
        loop.stop();
        assertThat(loop.awaitEnd(50)).as("ended while the send blocks").isFalse();
        loop.interrupt();
        awaitEnd(loop);
        assertThat(measurements.totals().sent()).isEqualTo(6);
        assertThat(measurements.totals().acknowledged()).isEqualTo(5);
        assertThat(measurements.totals().failed()).isEqualTo(1);
        assertThat(report().failed()).isEqualTo(1);
        assertThat(failures).isEmpty();
    }

    @Test
    void whatWasDueAndNotSentWhenTheLoopEndsIsTold() throws InterruptedException {
        client(message -> {
            if (message.sequence() == 100) {
                // Blocks for three seconds; the load is stopped after the first half second.
                virtualNs.addAndGet(SECOND_NS / 2);
                theLoop().stop();
                virtualNs.addAndGet(5 * SECOND_NS / 2);
            }
            message.callback().acknowledged();
        });
        ProducerLoop loop = start(1_000, Long.MAX_VALUE);
        awaitEnd(loop);

        // Messages 101 to 600 were due at 101 to 600 ms; the loop ended 3.1 s after its start.
        LatencySnapshot unsent = measurements.takeUnsent();
        assertThat(unsent.count()).isEqualTo(500);
        assertThat(unsent.sumNs()).isCloseTo(500 * 2749.5 * MS_NS, within(500.0 * SPIN_NS));
        assertThat(measurements.totals().sent()).isEqualTo(101);
        assertThat(measurements.sample().latency(Latency.SCHEDULED_PUBLISH).count())
                .isEqualTo(101);
    }

    @Test
    void aLoopThatHasSentItsQuotaOwesNothing() throws InterruptedException {
        acknowledgingClient();
        ProducerLoop loop = start(1_000, 10);
        awaitEnd(loop);
        virtualNs.addAndGet(SECOND_NS);
        loop.stop();
        assertThat(measurements.takeUnsent().count()).isZero();
    }

    @Test
    void aMessageWhoseSendWasInterruptedHasFailedAndIsNotUnsent() throws InterruptedException {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        client(message -> {
            if (message.sequence() == 5) {
                virtualNs.addAndGet(10 * MS_NS);
                blocked.countDown();
                never.await();
            }
            message.callback().acknowledged();
        });
        ProducerLoop loop = start(1_000, Long.MAX_VALUE);
        Patience.await("a send that blocks", blocked);
        loop.interrupt();
        awaitEnd(loop);
        assertThat(measurements.totals().failed()).isEqualTo(1);
        // These are messages 6 to 15; the one that blocked counts as sent.
        assertThat(measurements.takeUnsent().count()).isEqualTo(10);
    }

    static Stream<Throwable> thrown() {
        return Stream.of(
                new IllegalStateException("closed"),
                new NoClassDefFoundError("Codec"),
                new IOException("not declared"),
                new InterruptedException("by nobody"));
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void whateverASendThrowsFailsTheRunAndTheMessage(Throwable thrown) throws InterruptedException {
        client(message -> {
            if (message.sequence() == 2) {
                throw Rethrow.unchecked(thrown);
            }
            message.callback().acknowledged();
        });
        awaitEnd(start(1_000, 100));
        assertThat(failures).containsExactly(thrown);
        assertThat(measurements.totals().sent()).isEqualTo(3);
        assertThat(measurements.totals().acknowledged()).isEqualTo(2);
        assertThat(measurements.totals().failed()).isEqualTo(1);
        assertThat(report().sent()).isEqualTo(3);
        assertThat(report().failed()).isEqualTo(1);
    }

    @Test
    void refusedMessagesDoNotEndTheLoop() throws InterruptedException {
        client(message -> message.callback().failed(new IOException("refused")));
        awaitEnd(start(1_000, 50));
        assertThat(failures).isEmpty();
        assertThat(measurements.totals().failed()).isEqualTo(50);
    }

    @Test
    void theThreadIsNamedAndDoesNotKeepTheProcessAlive() throws InterruptedException {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        client(message -> threads.add(Thread.currentThread()));
        awaitEnd(start(1_000, 1));
        assertThat(threads).hasSize(1).allSatisfy(thread -> {
            assertThat(thread.getName()).isEqualTo("producer-under-test");
            assertThat(thread.isDaemon()).isTrue();
        });
    }
}
