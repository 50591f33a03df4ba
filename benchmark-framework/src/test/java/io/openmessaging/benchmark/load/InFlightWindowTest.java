package io.openmessaging.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.openmessaging.benchmark.audit.ProducerAudit;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.measure.Measurements;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InFlightWindowTest {

    private static final long LIMIT_MS = 30_000;
    private static final int MESSAGES = 2_000;

    private final Measurements measurements = new Measurements(System::nanoTime, 0);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    private LoadedProducer producer(FakeProducer client, int id, int limit) {
        return new LoadedProducer(client, new ProducerAudit(id), measurements, MessageHeader.Layout.FULL, 1)
                .limitedTo(limit);
    }

    private ProducerLoop start(long quota, List<LoadedProducer> producers) {
        ProducerLoop loop = new ProducerLoop(
                "producer-under-test",
                producers,
                LoadedProducer.heldBack(Schedule.even(System.nanoTime(), Double.POSITIVE_INFINITY), producers),
                quota,
                Payloads.of(List.of(new byte[64]), false, producers.size(), 0),
                KeyDistributor.none(),
                measurements.newPublisher(),
                System::nanoTime,
                failures::add);
        loop.start();
        return loop;
    }

    private static SendCallback take(BlockingQueue<SendCallback> sent) throws InterruptedException {
        SendCallback callback = sent.poll(LIMIT_MS, TimeUnit.MILLISECONDS);
        assertThat(callback).as("a message within %d ms", LIMIT_MS).isNotNull();
        return callback;
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
        assertThat(loop.awaitEnd(LIMIT_MS)).as("the loop ended in time").isTrue();
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
        long confirmedNs = System.nanoTime();
        first.acknowledged();
        take(sent).acknowledged();
        assertThat(loop.awaitEnd(LIMIT_MS)).as("the loop ended in time").isTrue();
        assertThat(client.messages.get(1).sentNs())
                .as("stamped once it could be sent, not before")
                .isGreaterThanOrEqualTo(confirmedNs);
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
        assertThat(loop.awaitEnd(LIMIT_MS)).as("the loop ended in time").isTrue();
    }

    @Test
    void aFullWindowDoesNotKeepTheLoopFromEnding() throws InterruptedException {
        BlockingQueue<SendCallback> sent = new LinkedBlockingQueue<>();
        FakeProducer client = new FakeProducer(message -> sent.add(message.callback()));
        ProducerLoop loop = start(Long.MAX_VALUE, List.of(producer(client, 0, 1)));
        take(sent);
        loop.stop();
        assertThat(loop.awaitEnd(LIMIT_MS)).as("the loop ended in time").isTrue();
        assertThat(client.messages).hasSize(1);
    }

    @Test
    void aSendThatThrowsIsNotInFlight() {
        InFlightWindow window = new InFlightWindow(1);
        WindowedProducer producer = new WindowedProducer(
                new FakeProducer(message -> {
                    throw new IllegalStateException("closed");
                }),
                window);
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
        assertThat(window.isFull()).isFalse();
    }

    @Test
    void withoutALimitTheScheduleIsTheSame() {
        Schedule schedule = Schedule.even(0, 1);
        LoadedProducer unlimited = new LoadedProducer(
                FakeProducer.acknowledging(), new ProducerAudit(0), measurements, MessageHeader.Layout.FULL, 1);
        assertThat(LoadedProducer.heldBack(schedule, List.of(unlimited))).isSameAs(schedule);
    }
}
