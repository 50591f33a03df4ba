package io.openmessaging.benchmark.load;

import static java.util.Comparator.comparingLong;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.openmessaging.benchmark.audit.ProducerAudit;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.measure.Measurements;
import io.openmessaging.benchmark.suite.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WindowedProducerTest {

    /** A load that sends as fast as possible does not need a clock that advances by itself. */
    private final AtomicLong nowNs = new AtomicLong(1);

    private static final int MESSAGES = 2_000;
    private static final long MS_NS = 1_000_000;
    private static final long START_NS = 1_700_000_000_000L * MS_NS;
    private static final long SPIN_NS = 100;

    private final Measurements measurements = new Measurements(System::nanoTime, 0);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    private LoadedProducer producer(FakeProducer client, int id, int limit) {
        return new LoadedProducer(
                new WindowedProducer(client, limit), new ProducerAudit(id), measurements, MessageHeader.Layout.FULL, 1);
    }

    private ProducerLoop start(long quota, List<LoadedProducer> producers) {
        ProducerLoop loop = new ProducerLoop(
                "producer-under-test",
                new ProducerLoop.Work(
                        producers,
                        Schedule.even(nowNs.get(), Double.POSITIVE_INFINITY),
                        quota,
                        Payloads.of(List.of(new byte[64]), false, producers.size(), 0),
                        KeyDistributor.none()),
                measurements.newPublisher(),
                nowNs::get,
                new Pacer(),
                failures::add);
        loop.start();
        return loop;
    }

    private static SendCallback take(BlockingQueue<SendCallback> sent) throws InterruptedException {
        return Patience.take("a message", sent);
    }

    @Test
    void noMoreThanTheLimitAreUnconfirmedAndAllAreSent() throws InterruptedException {
        BlockingQueue<SendCallback> sent = new LinkedBlockingQueue<>();
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        FakeProducer client = new FakeProducer(message -> {
            most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            sent.add(message.callback());
        });
        ProducerLoop loop = start(MESSAGES, List.of(producer(client, 0, 3)));
        for (int i = 0; i < MESSAGES; i++) {
            SendCallback callback = take(sent);
            inFlight.decrementAndGet();
            if (i % 7 == 0) {
                callback.failed(new IllegalStateException("refused"));
            } else {
                callback.acknowledged();
            }
        }
        assertThat(loop.awaitEnd(Patience.LIMIT.toMillis()))
                .as("the loop ended in time")
                .isTrue();
        assertThat(most.get()).isLessThanOrEqualTo(3);
        assertThat(measurements.totals().sent()).isEqualTo(MESSAGES);
        assertThat(measurements.totals().inFlight()).isZero();
        assertThat(failures).isEmpty();
    }

    @Test
    void theWaitIsNotPartOfThePublishLatency() throws InterruptedException {
        BlockingQueue<SendCallback> sent = new LinkedBlockingQueue<>();
        FakeProducer client = new FakeProducer(message -> sent.add(message.callback()));
        ProducerLoop loop = start(2, List.of(producer(client, 0, 1)));
        SendCallback first = take(sent);
        assertThat(client.messages).hasSize(1);
        nowNs.set(5_000);
        first.acknowledged();
        take(sent).acknowledged();
        assertThat(loop.awaitEnd(Patience.LIMIT.toMillis()))
                .as("the loop ended in time")
                .isTrue();
        assertThat(client.messages.get(1).sentNs())
                .as("stamped once it could be sent, not before")
                .isEqualTo(5_000);
    }

    @Test
    void eachProducerHasAWindowOfItsOwn() throws InterruptedException {
        BlockingQueue<SendCallback> sent = new LinkedBlockingQueue<>();
        FakeProducer first = new FakeProducer(message -> sent.add(message.callback()));
        FakeProducer second = new FakeProducer(message -> sent.add(message.callback()));
        ProducerLoop loop = start(6, List.of(producer(first, 0, 2), producer(second, 1, 2)));
        List<SendCallback> callbacks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            callbacks.add(take(sent));
        }
        assertThat(first.messages).hasSize(2);
        assertThat(second.messages).hasSize(2);
        callbacks.forEach(SendCallback::acknowledged);
        take(sent).acknowledged();
        take(sent).acknowledged();
        assertThat(loop.awaitEnd(Patience.LIMIT.toMillis()))
                .as("the loop ended in time")
                .isTrue();
    }

    @Test
    void aFullWindowDoesNotKeepTheLoopFromEnding() throws InterruptedException {
        BlockingQueue<SendCallback> sent = new LinkedBlockingQueue<>();
        FakeProducer client = new FakeProducer(message -> sent.add(message.callback()));
        ProducerLoop loop = start(Long.MAX_VALUE, List.of(producer(client, 0, 1)));
        take(sent);
        loop.stop();
        assertThat(loop.awaitEnd(Patience.LIMIT.toMillis()))
                .as("the loop ended in time")
                .isTrue();
        assertThat(client.messages).hasSize(1);
    }

    @Test
    void aSendThatThrowsIsNotInFlight() {
        WindowedProducer producer = new WindowedProducer(
                new FakeProducer(message -> {
                    throw new IllegalStateException("closed");
                }),
                1);
        SendCallback nobody = new SendCallback() {
            @Override
            public void acknowledged() {
                throw new AssertionError("nothing was sent");
            }

            @Override
            public void failed(Throwable cause) {
                throw new AssertionError("the sender knows already", cause);
            }
        };
        assertThatIllegalStateException().isThrownBy(() -> producer.send(null, new byte[1], nobody));
        assertThat(producer.isFull()).isFalse();
    }

    /** Confirms messages in virtual time, which passes while the loop waits. */
    private final class Confirmations {

        private record Confirmation(long atNs, SendCallback callback) {}

        private final PriorityQueue<Confirmation> due = new PriorityQueue<>(comparingLong(Confirmation::atNs));
        private final AtomicLong nowNs = new AtomicLong(START_NS);
        private final List<LoadedProducer> producers = new ArrayList<>();

        private final Pacer pacer = new Pacer(new Pacer.Idle() {
            @Override
            public void park(long durationNs) {
                pass(durationNs);
            }

            @Override
            public void spin() {
                pass(SPIN_NS);
            }
        });

        /** Lets time pass, but only until the next message is confirmed if that is sooner. */
        private void pass(long durationNs) {
            long untilNs = nowNs.get() + durationNs;
            Confirmation next = due.peek();
            if (next == null || next.atNs > untilNs) {
                nowNs.set(untilNs);
                return;
            }
            nowNs.set(next.atNs);
            due.remove().callback.acknowledged();
        }

        /** Adds a producer with one message in flight, which is confirmed {@code ns} later. */
        FakeProducer confirmingAfter(long ns) {
            FakeProducer client =
                    new FakeProducer(message -> due.add(new Confirmation(nowNs.get() + ns, message.callback())));
            producers.add(producer(client, producers.size(), 1));
            return client;
        }

        void send(double rateMsgPerSec, long quota) throws InterruptedException {
            ProducerLoop loop = new ProducerLoop(
                    "producer-under-test",
                    new ProducerLoop.Work(
                            producers,
                            Schedule.even(START_NS, rateMsgPerSec),
                            quota,
                            Payloads.of(List.of(new byte[64]), false, producers.size(), 0),
                            KeyDistributor.none()),
                    measurements.newPublisher(),
                    nowNs::get,
                    pacer,
                    failures::add);
            loop.start();
            assertThat(loop.awaitEnd(Patience.LIMIT.toMillis()))
                    .as("the loop ended in time")
                    .isTrue();
            assertThat(failures).isEmpty();
        }
    }

    @Test
    void eachProducerIsAClosedLoopOfItsOwn() throws InterruptedException {
        Confirmations confirmations = new Confirmations();
        FakeProducer fast = confirmations.confirmingAfter(5 * MS_NS);
        FakeProducer slow = confirmations.confirmingAfter(200 * MS_NS);
        confirmations.send(Double.POSITIVE_INFINITY, 205);
        // This takes a second: the slow producer does not delay the fast one.
        assertThat(fast.messages).hasSize(200);
        assertThat(slow.messages).hasSize(5);
        assertThat(fast.messages.get(199).sentNs()).isEqualTo(START_NS + 995 * MS_NS);
    }

    @Test
    void whatIsDueGoesToTheNextInTurnThatHasRoom() throws InterruptedException {
        Confirmations confirmations = new Confirmations();
        FakeProducer first = confirmations.confirmingAfter(5 * MS_NS);
        FakeProducer stuck = confirmations.confirmingAfter(Long.MAX_VALUE / 2 - START_NS);
        FakeProducer third = confirmations.confirmingAfter(5 * MS_NS);
        confirmations.send(100, 101);
        assertThat(stuck.messages).hasSize(1);
        assertThat(first.messages).hasSize(50);
        assertThat(third.messages).hasSize(50);
        List<FakeProducer.Message> all = new ArrayList<>(first.messages);
        all.addAll(third.messages);
        assertThat(all).allMatch(message -> message.sentNs() - message.intendedNs() <= SPIN_NS);
    }

    @Test
    void whileAllAreFullTheScheduleRunsUpADebt() throws InterruptedException {
        Confirmations confirmations = new Confirmations();
        FakeProducer one = confirmations.confirmingAfter(50 * MS_NS);
        FakeProducer other = confirmations.confirmingAfter(50 * MS_NS);
        confirmations.send(100, 20);
        // Of a hundred messages due per second, forty are sent: the last, due after 190 ms, is sent after 450 ms.
        assertThat(one.messages).hasSize(10);
        assertThat(other.messages).hasSize(10);
        assertThat(other.messages.get(9).intendedNs()).isEqualTo(START_NS + 190 * MS_NS);
        assertThat(other.messages.get(9).sentNs()).isBetween(START_NS + 450 * MS_NS, START_NS + 470 * MS_NS);
    }
}
