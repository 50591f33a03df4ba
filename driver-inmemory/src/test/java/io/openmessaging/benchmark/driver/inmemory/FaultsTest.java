package io.openmessaging.benchmark.driver.inmemory;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.inmemory.InMemoryConfig.Delivery;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FaultsTest {

    private static final Duration LIMIT = Patience.LIMIT;
    private static final int BYTES = 100;

    private static DriverSession open(Delivery delivery, FaultsOf faults) throws Exception {
        return DriverSession.open(new InMemoryBenchmarkDriver(), faults.in(InMemoryConfig.of(delivery)), LIMIT);
    }

    private static List<RecordingCallback> send(BenchmarkProducer producer, int from, int until) throws Exception {
        List<RecordingCallback> callbacks = new ArrayList<>();
        for (int i = from; i < until; i++) {
            RecordingCallback callback = new RecordingCallback("message " + i);
            producer.send(null, NumberedPayload.of(i, BYTES), callback);
            callbacks.add(callback);
        }
        return callbacks;
    }

    /** Returns the numbers of the messages in order of arrival, once the expected number has arrived. */
    private static List<Integer> numbers(RecordingListener listener, int expected) throws Exception {
        listener.awaitMessages(expected, LIMIT);
        listener.awaitQuiet(Duration.ofMillis(100), LIMIT);
        return listener.messages().stream()
                .map(m -> NumberedPayload.numberOf(m.payload()))
                .toList();
    }

    /**
     * Returns the numbers that arrive, out of messages 0 to n − 1, at the only consumer of a topic with one partition.
     */
    private static List<Integer> arrivalsOf(int messages, int expected, Delivery delivery, FaultsOf faults)
            throws Exception {
        try (DriverSession session = open(delivery, faults)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            assertThat(send(session.producer(topic), 0, messages)).allMatch(c -> c.acknowledgements() == 1);
            return numbers(listener, expected);
        }
    }

    @ParameterizedTest
    @EnumSource
    void listedMessagesAreLost(Delivery delivery) throws Exception {
        List<Integer> expected = IntStream.range(0, 20)
                .filter(i -> i != 0 && i != 7 && i != 19)
                .boxed()
                .toList();
        assertThat(arrivalsOf(20, 17, delivery, FaultsOf.none().lose(19L, 0L, 7L)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    void oneInSoManyIsLost(Delivery delivery) throws Exception {
        List<Integer> expected =
                IntStream.range(0, 1000).filter(i -> i % 100 != 99).boxed().toList();
        assertThat(arrivalsOf(1000, 990, delivery, FaultsOf.none().loseEvery(100)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    void duplicatesComeInARow(Delivery delivery) throws Exception {
        assertThat(arrivalsOf(6, 9, delivery, FaultsOf.none().duplicate(0L).duplicateEvery(3)))
                .containsExactly(0, 0, 1, 2, 2, 3, 4, 5, 5);
    }

    @ParameterizedTest
    @EnumSource
    void aSwappedMessageComesAfterTheNextOne(Delivery delivery) throws Exception {
        assertThat(arrivalsOf(8, 8, delivery, FaultsOf.none().swap(2L).swapEvery(6)))
                .containsExactly(0, 1, 3, 2, 4, 6, 5, 7);
    }

    @ParameterizedTest
    @EnumSource
    void aMessageThatAnotherOneWaitsForIsNotHeldBack(Delivery delivery) throws Exception {
        assertThat(arrivalsOf(6, 6, delivery, FaultsOf.none().swap(2L, 3L, 4L))).containsExactly(0, 1, 3, 2, 5, 4);
    }

    @ParameterizedTest
    @EnumSource
    void aSwappedMessageWaitsForOneThatIsDelivered(Delivery delivery) throws Exception {
        assertThat(arrivalsOf(6, 6, delivery, FaultsOf.none().swap(1L).lose(2L).duplicate(3L)))
                .containsExactly(0, 3, 3, 1, 4, 5);
    }

    @ParameterizedTest
    @EnumSource
    void aMessageIsLostRatherThanDuplicatedAndDuplicatedRatherThanSwapped(Delivery delivery) throws Exception {
        FaultsOf faults = FaultsOf.none().loseEvery(4).duplicateEvery(2).swapEvery(2);
        assertThat(arrivalsOf(5, 5, delivery, faults)).containsExactly(0, 1, 1, 2, 4);
    }

    @ParameterizedTest
    @EnumSource
    void aSwappedMessageWithoutASuccessorComesWhenTheProducerIsClosed(Delivery delivery) throws Exception {
        try (DriverSession session = open(delivery, FaultsOf.none().swap(2L))) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            BenchmarkProducer other = session.producer(topic);
            send(producer, 0, 3);
            send(other, 3, 4);
            session.close(other);
            assertThat(numbers(listener, 3)).containsExactly(0, 1, 3);
            session.close(producer);
            assertThat(numbers(listener, 4)).containsExactly(0, 1, 3, 2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void messagesAreSwappedWithinAPartition(Delivery delivery) throws Exception {
        try (DriverSession session = open(delivery, FaultsOf.none().swap(0L))) {
            TopicSpec topic = session.topic(2);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            // Without keys, messages go to both partitions in turn.
            send(session.producer(topic), 0, 4);
            assertThat(numbers(listener, 4)).containsExactly(1, 2, 0, 3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachSubscriptionCountsByItself(Delivery delivery) throws Exception {
        try (DriverSession session = open(delivery, FaultsOf.none().lose(1L))) {
            TopicSpec topic = session.topic(1);
            RecordingListener early = new RecordingListener();
            RecordingListener late = new RecordingListener();
            BenchmarkProducer producer = session.producer(topic);
            session.consumer(topic, "early", early);
            send(producer, 0, 3);
            session.consumer(topic, "late", late);
            send(producer, 3, 6);
            assertThat(numbers(early, 5)).containsExactly(0, 2, 3, 4, 5);
            assertThat(numbers(late, 2)).containsExactly(3, 5);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theCountGoesOnWhenAConsumerPausesAndWhenOneJoins(Delivery delivery) throws Exception {
        try (DriverSession session = open(delivery, FaultsOf.none().lose(1L, 3L, 5L))) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            var consumer = session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            send(producer, 0, 2);
            consumer.pause();
            send(producer, 2, 4);
            consumer.resume();
            // Partition 0 stays with the first consumer.
            session.consumer(topic, "s", new RecordingListener());
            send(producer, 4, 6);
            assertThat(numbers(listener, 3)).containsExactly(0, 2, 4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void messagesOfAnotherSizeDoNotCount(Delivery delivery) throws Exception {
        FaultsOf faults = FaultsOf.none().lose(1L).fail(0L).onlyPayloadBytes(BYTES);
        try (DriverSession session = open(delivery, faults)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            for (int i = 100; i < 105; i++) {
                RecordingCallback probe = new RecordingCallback("probe");
                producer.send(null, NumberedPayload.of(i, 32), probe);
                probe.awaitAcknowledged(LIMIT);
            }
            List<RecordingCallback> callbacks = send(producer, 0, 4);
            assertThat(callbacks.get(0).failures()).hasSize(1);
            // Messages 1, 2 and 3 were delivered, so index 1 is message 2.
            assertThat(numbers(listener, 7)).containsExactly(100, 101, 102, 103, 104, 1, 3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void pickedSendsFailAndAreNotDelivered(Delivery delivery) throws Exception {
        FaultsOf faults = FaultsOf.none().fail(0L).failEvery(5).failAfter(12);
        try (DriverSession session = open(delivery, faults)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            List<RecordingCallback> callbacks = new ArrayList<>(send(session.producer(topic), 0, 7));
            callbacks.addAll(send(session.producer(topic), 7, 15));
            List<Integer> failed = IntStream.range(0, 15)
                    .filter(i -> callbacks.get(i).failures().size() == 1)
                    .boxed()
                    .toList();
            assertThat(failed).containsExactly(0, 4, 9, 12, 13, 14);
            assertThat(callbacks).allMatch(c -> c.calls() == 1);
            assertThat(callbacks.get(4).failures().get(0)).hasMessage("Send failure requested by faults, message 4");
            assertThat(numbers(listener, 9)).containsExactly(1, 2, 3, 5, 6, 7, 8, 10, 11);
        }
    }

    @ParameterizedTest
    @EnumSource
    void pollErrorsAreReportedAndNothingIsLost(Delivery delivery) throws Exception {
        try (DriverSession session = open(delivery, FaultsOf.none().pollErrorEvery(2))) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            send(session.producer(topic), 0, 5);
            assertThat(numbers(listener, 5)).containsExactly(0, 1, 2, 3, 4);
            assertThat(session.events().clientErrors())
                    .extracting(RecordingEvents.ClientError::kind)
                    .containsExactly("consumer poll", "consumer poll");
        }
    }

    @ParameterizedTest
    @EnumSource
    void damagedMessagesHaveAnotherLastByte(Delivery delivery) throws Exception {
        FaultsOf faults = FaultsOf.none().damage(1L).damageEvery(4).duplicate(1L);
        try (DriverSession session = open(delivery, faults)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            byte[] payload = {1, 2, 3};
            for (int i = 0; i < 5; i++) {
                producer.send(
                        null, delivery == Delivery.DIRECT ? payload : payload.clone(), new RecordingCallback("" + i));
            }
            listener.awaitMessages(6, LIMIT);
            assertThat(listener.messages().stream().map(m -> m.payload()[2]))
                    .containsExactly((byte) 3, (byte) 2, (byte) 2, (byte) 3, (byte) 2, (byte) 3);
            assertThat(payload).as("the sender's array").containsExactly(1, 2, 3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFatalErrorIsReportedOnce(Delivery delivery) throws Exception {
        try (DriverSession session = open(delivery, FaultsOf.none().fatalAfter(3))) {
            TopicSpec topic = session.topic(1);
            BenchmarkProducer producer = session.producer(topic);
            send(producer, 0, 2);
            assertThat(session.events().fatals()).isEmpty();
            send(producer, 2, 10);
            assertThat(session.events().fatals()).hasSize(1);
        }
    }

    @Test
    void oneInAMillionIsExact() throws Exception {
        long messages = 3_000_000;
        FaultsOf faults =
                FaultsOf.none().loseEvery(1_000_000).duplicateEvery(300_000).failEvery(750_000);
        try (DriverSession session = open(Delivery.DIRECT, faults)) {
            TopicSpec topic = session.topic(4);
            AtomicLong received = new AtomicLong();
            AtomicLong acknowledged = new AtomicLong();
            AtomicLong failed = new AtomicLong();
            session.consumer(topic, "s", (key, payload, partition) -> received.incrementAndGet());
            BenchmarkProducer producer = session.producer(topic);
            SendCallback callback = new SendCallback() {
                @Override
                public void acknowledged() {
                    acknowledged.incrementAndGet();
                }

                @Override
                public void failed(Throwable cause) {
                    failed.incrementAndGet();
                }
            };
            byte[] payload = new byte[BYTES];
            for (long i = 0; i < messages; i++) {
                producer.send(null, payload, callback);
            }
            assertThat(failed).hasValue(4);
            assertThat(acknowledged).hasValue(messages - 4);
            // Out of 2,999,996 messages, 2 are lost and 9 are duplicated; none is both.
            assertThat(received).hasValue(messages - 4 - 2 + 9);
        }
    }
}
