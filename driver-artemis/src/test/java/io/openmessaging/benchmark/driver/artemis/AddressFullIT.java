package io.openmessaging.benchmark.driver.artemis;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedMessages;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of messages when a queue holds as much as it may, by the broker's policy. */
@Timeout(120)
@Isolated("looks for any thread that waits for credits")
class AddressFullIT {

    private static final int MESSAGES = 2000;
    private static final int BYTES = 1000;

    /** A quarter of what is sent. */
    private static final String MAX_SIZE = Integer.toString(MESSAGES * BYTES / 4);

    /** Small windows, so that it is the broker that holds the messages. */
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
            NumberedMessages.sendAcknowledged(session.producer(topic), 0, MESSAGES, BYTES);
            consumer.resume();
            int received = listener.awaitQuiet(Duration.ofSeconds(1), TIMEOUT);
            assertThat(received)
                    .as("messages received of %d acknowledged", MESSAGES)
                    .isBetween(1, MESSAGES / 2);
        }
    }

    /** Either the client is told before it sends, or the broker answers to what was sent. */
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
            consumer.resume();
            assertThat(listener.awaitQuiet(Duration.ofSeconds(1), TIMEOUT))
                    .as("messages received")
                    .isEqualTo(MESSAGES - failures.size());
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
            for (RecordingCallback callback : sending.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                callback.awaitAcknowledged(TIMEOUT);
            }
            NumberedMessages.assertGotAll(List.of(listener), 0, MESSAGES);

            consumer.pause();
            Future<List<RecordingCallback>> interrupted =
                    sender.submit(() -> NumberedMessages.send(producer, 0, MESSAGES, BYTES));
            awaitBlocked(interrupted);
            sender.shutdownNow();
            assertThatThrownBy(() -> interrupted.get(5, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(InterruptedException.class);
            assertThat(sender.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
            session.close(producer);
            assertThat(session.events().fatals()).isEmpty();
        } finally {
            sender.shutdownNow();
        }
    }

    /** The sender waits for credits, which no message ends while the consumer is paused. */
    private static void awaitBlocked(Future<?> sending) {
        await("a sender that waits for credits")
                .atMost(TIMEOUT)
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
