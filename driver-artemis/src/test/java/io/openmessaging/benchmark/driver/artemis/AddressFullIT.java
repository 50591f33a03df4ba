package io.openmessaging.benchmark.driver.artemis;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static io.openmessaging.benchmark.suite.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.ClientKind;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedMessages;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what happens, by the broker's policy, to messages for a full queue. */
@Isolated("looks for any thread that waits for credits")
@LongSuite("starts a broker for each policy")
class AddressFullIT {

    private static final int MESSAGES = 2000;
    private static final int BYTES = 1000;

    /** A quarter of the bytes sent. */
    private static final String MAX_SIZE = Integer.toString(MESSAGES * BYTES / 4);

    /** Small windows ensure that the broker holds the messages. */
    private static final Map<String, ?> CONFIG = Map.of("consumerWindowSize", 10_000, "ackBatchSize", 0);

    private static final int NO_CREDITS = -1;

    @Test
    void droppedMessagesAreAcknowledgedAndShowAsLost() throws Exception {
        try (LocalArtemis broker = start("DROP");
                DriverSession session = open(broker)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            BenchmarkConsumer consumer = session.consumer(topic, "s", listener);
            consumer.pause();
            BenchmarkProducer producer = session.producer(topic);
            NumberedMessages.sendAcknowledged(producer, 0, MESSAGES, BYTES);
            consumer.resume();
            // The first message that is not dropped follows all messages that the queue held.
            await("a message after the others").until(() -> {
                NumberedMessages.sendAcknowledged(producer, MESSAGES, MESSAGES + 1, BYTES);
                return NumberedMessages.numbersOf(listener.messages()).contains(MESSAGES);
            });
            assertThat(NumberedMessages.numbersOf(listener.messages()).stream().filter(number -> number < MESSAGES))
                    .as("messages received of %d acknowledged", MESSAGES)
                    .hasSizeBetween(1, MESSAGES / 2);
        }
    }

    /** Either the client learns of the refusal before it sends, or the broker answers the sent message. */
    @ParameterizedTest
    @ValueSource(ints = {64 << 10, NO_CREDITS})
    void refusedMessagesFailWithTheReason(int producerWindowSize) throws Exception {
        Map<String, Object> keys = new HashMap<>(CONFIG);
        keys.put("producerWindowSize", producerWindowSize);
        refusedMessagesFailWithTheReason(keys);
    }

    @Test
    void refusedMessagesFailWithTheReasonByJms() throws Exception {
        Map<String, Object> keys = new HashMap<>(CONFIG);
        keys.put("client", ClientKind.JMS);
        refusedMessagesFailWithTheReason(keys);
    }

    private static void refusedMessagesFailWithTheReason(Map<String, ?> keys) throws Exception {
        try (LocalArtemis broker = start("FAIL");
                DriverSession session = open(broker, keys)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            BenchmarkConsumer consumer = session.consumer(topic, "s", listener);
            consumer.pause();
            BenchmarkProducer producer = session.producer(topic);
            List<RecordingCallback> callbacks = NumberedMessages.send(producer, 0, MESSAGES, BYTES);
            session.close(producer);
            assertThat(callbacks).allMatch(callback -> callback.calls() == 1, "called once");
            List<Throwable> failures = callbacks.stream()
                    .flatMap(callback -> callback.failures().stream())
                    .toList();
            assertThat(failures)
                    .isNotEmpty()
                    .allSatisfy(failure -> assertThat(failure)
                            .hasMessageContaining(topic.name())
                            .hasMessageContaining("full"));
            List<Integer> acknowledged = NumberedMessages.numbers(0, MESSAGES).stream()
                    .filter(number -> callbacks.get(number).acknowledgements() == 1)
                    .toList();
            consumer.resume();
            assertThat(NumberedMessages.numbersOf(listener.awaitMessages(acknowledged.size(), TIMEOUT)))
                    .isEqualTo(acknowledged);
        }
    }

    @Test
    void blockedSendsGoOnWhenThereIsRoomAndEndWhenInterrupted() throws Exception {
        ExecutorService sender = Executors.newSingleThreadExecutor();
        try (LocalArtemis broker = start("BLOCK");
                DriverSession session = open(broker)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            BenchmarkConsumer consumer = session.consumer(topic, "s", listener);
            consumer.pause();
            BenchmarkProducer producer = session.producer(topic);
            Future<List<RecordingCallback>> sending =
                    sender.submit(() -> NumberedMessages.send(producer, 0, MESSAGES, BYTES));
            awaitBlocked(sending);
            consumer.resume();
            for (RecordingCallback callback : Patience.get("all sends", sending)) {
                callback.awaitAcknowledged(TIMEOUT);
            }
            NumberedMessages.assertGotAll(List.of(listener), 0, MESSAGES);

            consumer.pause();
            Future<List<RecordingCallback>> interrupted =
                    sender.submit(() -> NumberedMessages.send(producer, 0, MESSAGES, BYTES));
            awaitBlocked(interrupted);
            sender.shutdownNow();
            assertThatThrownBy(() -> Patience.get("the end of an interrupted send", interrupted))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(InterruptedException.class);
            session.close(producer);
            assertThat(session.events().fatals()).isEmpty();
        } finally {
            sender.shutdownNow();
        }
    }

    /** Waits until the sender waits for credits; it gets none while the consumer is paused. */
    private static void awaitBlocked(Future<?> sending) {
        await("a sender that waits for credits")
                .until(() -> Thread.getAllStackTraces().values().stream()
                        .anyMatch(frames -> List.of(frames).stream()
                                .anyMatch(frame -> frame.getMethodName().equals("acquireCredits"))));
        assertThat(sending).isNotDone();
    }

    private static LocalArtemis start(String policy) throws Exception {
        return LocalArtemis.start(Map.of("address-full-policy", policy, "max-size-bytes", MAX_SIZE));
    }

    private static DriverSession open(LocalArtemis broker) throws Exception {
        return open(broker, CONFIG);
    }

    private static DriverSession open(LocalArtemis broker, Map<String, ?> keys) throws Exception {
        return DriverSession.open(new ArtemisBenchmarkDriver(), broker.reach(TestConfigs.with(keys)), TIMEOUT);
    }
}
