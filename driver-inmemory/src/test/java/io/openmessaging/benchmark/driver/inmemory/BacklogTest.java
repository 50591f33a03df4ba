package io.openmessaging.benchmark.driver.inmemory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.inmemory.InMemoryConfig.Delivery;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.RecordingListener.ReceivedMessage;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests what happens to messages that cannot be delivered yet. */
class BacklogTest {

    private static final Duration LIMIT = Patience.LIMIT;
    private static final int BYTES = 100;
    private static final int RING = 4;
    private static final int BACKLOG = 10;

    /** Returns a configuration with room for 10 messages in backlogs and 4 in each consumer's queue. */
    private static InMemoryConfig narrow(Delivery delivery) {
        return new InMemoryConfig(
                delivery,
                RING,
                (long) BACKLOG * (BYTES + Message.OVERHEAD_BYTES),
                Duration.ZERO,
                Duration.ZERO,
                Faults.NONE);
    }

    private static DriverSession open(InMemoryConfig config, Duration timeout) throws Exception {
        return DriverSession.open(new InMemoryBenchmarkDriver(), config, timeout);
    }

    private static RecordingCallback send(BenchmarkProducer producer, int number) throws InterruptedException {
        RecordingCallback callback = new RecordingCallback("message " + number);
        producer.send(null, NumberedPayload.of(number, BYTES), callback);
        return callback;
    }

    private static void sendAll(BenchmarkProducer producer, int from, int until) throws InterruptedException {
        for (int i = from; i < until; i++) {
            send(producer, i).awaitAcknowledged(LIMIT);
        }
    }

    /**
     * Sends each message until it is acknowledged: the timeout of a send may be too short for a slow machine to make
     * room.
     */
    private static void insist(BenchmarkProducer producer, int from, int until) {
        for (int i = from; i < until; i++) {
            int number = i;
            Patience.until("room for message " + i, () -> {
                RecordingCallback callback = send(producer, number);
                Patience.until("an answer", () -> callback.calls() > 0);
                return callback.acknowledgements() == 1;
            });
        }
    }

    private static List<Integer> numbers(List<ReceivedMessage> messages) {
        return messages.stream().map(m -> NumberedPayload.numberOf(m.payload())).toList();
    }

    private static List<Integer> numbersBelow(int end) {
        return IntStream.range(0, end).boxed().toList();
    }

    @ParameterizedTest
    @EnumSource
    void aSendFailsWhenThereIsNoRoomUntilTheTimeout(Delivery delivery) throws Exception {
        try (DriverSession session = open(narrow(delivery), Duration.ofMillis(200))) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            BenchmarkConsumer consumer = session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            consumer.pause();
            insist(producer, 0, BACKLOG + RING);
            assertThat(send(producer, BACKLOG + RING).awaitFailed(LIMIT))
                    .hasMessageStartingWith("Waited 200 ms for room for a message in topic " + topic.name());

            consumer.resume();
            assertThat(numbers(listener.awaitMessages(BACKLOG + RING, LIMIT))).isEqualTo(numbersBelow(BACKLOG + RING));
            insist(producer, BACKLOG + RING, 100);
            assertThat(numbers(listener.awaitMessages(100, LIMIT))).isEqualTo(numbersBelow(100));
        }
    }

    @ParameterizedTest
    @EnumSource
    void noSubscriptionGetsAMessageForWhichAnotherOneHasNoRoom(Delivery delivery) throws Exception {
        try (DriverSession session = open(narrow(delivery), Duration.ofMillis(200))) {
            TopicSpec topic = session.topic(1);
            RecordingListener running = new RecordingListener();
            session.consumer(topic, "running", running);
            BenchmarkConsumer paused = session.consumer(topic, "paused", new RecordingListener());
            paused.pause();
            BenchmarkProducer producer = session.producer(topic);
            insist(producer, 0, BACKLOG + RING);
            send(producer, 99).awaitFailed(LIMIT);
            running.awaitMessages(BACKLOG + RING, LIMIT);
            running.awaitQuiet(Duration.ofMillis(100), LIMIT);
            assertThat(numbers(running.messages())).isEqualTo(numbersBelow(BACKLOG + RING));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSendGoesOnWhenThereIsRoomAgain(Delivery delivery) throws Exception {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        ExecutorService sender = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "sender");
            threads.add(thread);
            return thread;
        });
        try (DriverSession session = open(narrow(delivery), LIMIT)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            BenchmarkConsumer consumer = session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            consumer.pause();
            sendAll(producer, 0, BACKLOG + RING);
            Future<RecordingCallback> blocked = sender.submit(() -> send(producer, BACKLOG + RING));
            Patience.until(
                    "the sender to wait for room", () -> threads.get(0).getState() == Thread.State.TIMED_WAITING);
            consumer.resume();
            Patience.get("the end of the send", blocked).awaitAcknowledged(LIMIT);
            assertThat(numbers(listener.awaitMessages(BACKLOG + RING + 1, LIMIT)))
                    .isEqualTo(numbersBelow(BACKLOG + RING + 1));
        } finally {
            sender.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptEndsABlockedSendWithoutACall(Delivery delivery) throws Exception {
        ExecutorService sender = Executors.newSingleThreadExecutor();
        try (DriverSession session = open(narrow(delivery), Duration.ofMinutes(5))) {
            TopicSpec topic = session.topic(1);
            BenchmarkConsumer consumer = session.consumer(topic, "s", new RecordingListener());
            BenchmarkProducer producer = session.producer(topic);
            consumer.pause();
            sendAll(producer, 0, BACKLOG + RING);
            RecordingCallback callback = new RecordingCallback("the blocked message");
            Future<?> blocked = sender.submit(() -> {
                producer.send(null, new byte[BYTES], callback);
                return null;
            });
            sender.shutdownNow();
            assertThatThrownBy(() -> Patience.get("the end of the send", blocked))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(InterruptedException.class);
            assertThat(callback.calls()).isZero();
        } finally {
            sender.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSendToADeletedTopicFails(Delivery delivery) throws Exception {
        try (DriverSession session = open(narrow(delivery), LIMIT)) {
            TopicSpec topic = session.topic(1);
            BenchmarkProducer producer = session.producer(topic);
            session.connection().deleteTopics(List.of(topic));
            assertThat(send(producer, 0).awaitFailed(LIMIT)).hasMessage("Topic " + topic.name() + " was deleted.");
        }
    }

    @Test
    void aPausedDirectConsumerGetsCopies() throws Exception {
        try (DriverSession session = open(InMemoryConfig.of(Delivery.DIRECT), LIMIT)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            BenchmarkConsumer consumer = session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            consumer.pause();
            byte[] reused = new byte[BYTES];
            for (int i = 0; i < 100; i++) {
                NumberedPayload.write(i, reused);
                producer.send(null, reused, new RecordingCallback("message " + i));
            }
            assertThat(listener.count()).isZero();
            consumer.resume();
            assertThat(numbers(listener.awaitMessages(100, LIMIT))).isEqualTo(numbersBelow(100));
        }
    }

    @Test
    void aDirectConsumerIsDirectAgainOnceItHasCaughtUp() throws Exception {
        try (DriverSession session = open(InMemoryConfig.of(Delivery.DIRECT), LIMIT)) {
            TopicSpec topic = session.topic(1);
            List<Thread> threads = new ArrayList<>();
            BenchmarkConsumer consumer = session.consumer(topic, "s", (key, payload, partition) -> {
                synchronized (threads) {
                    threads.add(Thread.currentThread());
                }
            });
            BenchmarkProducer producer = session.producer(topic);
            consumer.pause();
            sendAll(producer, 0, 100);
            consumer.resume();
            Patience.await("delivery on the thread that sends")
                    .pollInSameThread()
                    .until(() -> {
                        send(producer, 100);
                        synchronized (threads) {
                            return threads.contains(Thread.currentThread());
                        }
                    });
            int sent;
            synchronized (threads) {
                sent = threads.size();
            }
            sendAll(producer, 0, 10);
            assertThat(threads.subList(sent, sent + 10)).containsOnly(Thread.currentThread());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aConsumerThatLeavesHandsItsBacklogToTheOthers(Delivery delivery) throws Exception {
        try (DriverSession session = open(InMemoryConfig.of(delivery), LIMIT)) {
            TopicSpec topic = session.topic(2);
            RecordingListener first = new RecordingListener();
            RecordingListener second = new RecordingListener();
            List<BenchmarkConsumer> consumers =
                    session.consumers(session.consumerOf(topic, "s", first), session.consumerOf(topic, "s", second));
            BenchmarkProducer producer = session.producer(topic);
            consumers.get(0).pause();
            sendAll(producer, 0, 100);
            session.close(consumers.get(0));
            sendAll(producer, 100, 120);
            assertThat(first.count()).isZero();
            List<ReceivedMessage> messages = second.awaitMessages(120, LIMIT);
            second.awaitQuiet(Duration.ofMillis(100), LIMIT);
            for (int partition = 0; partition < 2; partition++) {
                int itsPartition = partition;
                assertThat(numbers(messages.stream()
                                .filter(m -> m.partition() == itsPartition)
                                .toList()))
                        .hasSize(60)
                        .isSorted();
            }
            assertThat(numbers(second.messages())).containsExactlyInAnyOrderElementsOf(numbersBelow(120));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aConsumerThatJoinsTakesTheBacklogOfItsPartitions(Delivery delivery) throws Exception {
        try (DriverSession session = open(InMemoryConfig.of(delivery), LIMIT)) {
            TopicSpec topic = session.topic(2);
            RecordingListener first = new RecordingListener();
            RecordingListener second = new RecordingListener();
            BenchmarkConsumer paused = session.consumer(topic, "s", first);
            BenchmarkProducer producer = session.producer(topic);
            paused.pause();
            sendAll(producer, 0, 100);
            session.consumer(topic, "s", second);
            List<ReceivedMessage> taken = second.awaitMessages(50, LIMIT);
            assertThat(taken).allMatch(m -> m.partition() == 1);
            assertThat(numbers(taken)).hasSize(50).isSorted();
            assertThat(first.count()).isZero();
            paused.resume();
            assertThat(first.awaitMessages(50, LIMIT)).hasSize(50).allMatch(m -> m.partition() == 0);
        }
    }

    @Test
    void aListenerThatThrowsInAQueueIsFatal() throws Exception {
        try (DriverSession session = open(InMemoryConfig.of(Delivery.QUEUED), LIMIT)) {
            TopicSpec topic = session.topic(1);
            session.consumer(topic, "s", (key, payload, partition) -> {
                throw new IllegalStateException("the listener's own");
            });
            send(session.producer(topic), 0);
            Patience.until(
                    "report of the fatal error",
                    () -> !session.events().fatals().isEmpty());
            assertThat(session.events().fatals().get(0)).hasMessage("the listener's own");
        }
    }
}
