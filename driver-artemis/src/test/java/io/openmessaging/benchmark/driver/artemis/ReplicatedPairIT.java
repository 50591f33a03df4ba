package io.openmessaging.benchmark.driver.artemis;

import static io.openmessaging.benchmark.suite.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedMessages;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** A live node and its backup, each of which crashes once. */
@Order(1)
@LongSuite("starts a pair, and each of its nodes twice")
class ReplicatedPairIT {

    /** Time that the client waits for the answer to a request that a node received but lost during its takeover. */
    private static final Duration CALL_LIMIT = Patience.LIMIT.dividedBy(6);

    @Test
    void whoeverIsLiveLeadsAndANodeThatComesBackIsTheBackupAndTakesOverAgain() throws Exception {
        try (LocalArtemis broker = LocalArtemis.start(2, Map.of());
                DriverSession session = DriverSession.open(
                        new ArtemisBenchmarkDriver(), broker.reach(TestConfigs.defaults()), CALL_LIMIT)) {
            List<String> nodes = broker.addresses();
            TopicSpec topic = session.topic(2);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            NumberedMessages.sendAcknowledged(producer, 0, 100, 100);
            NumberedMessages.assertGotAll(List.of(listener), 0, 100);
            assertThat(session.connection().leaders(List.of(topic)))
                    .containsExactly(List.of(nodes.get(0), nodes.get(0)));
            assertThat(guarantee(session.connection()))
                    .returns(2, Guarantee::copies)
                    .returns(2, Guarantee::acknowledgedCopies)
                    .returns(Guarantee.Storage.SYNCED_ONCE, Guarantee::storage);
            assertThat(session.events().clientErrors())
                    .as("a backup that does not answer is none")
                    .isEmpty();

            broker.broker().kill("artemis-1");
            awaitAcknowledged(producer, 100);
            awaitCopies(session.connection(), 1);
            assertThat(session.connection().leaders(List.of(topic)))
                    .containsExactly(List.of(nodes.get(1), nodes.get(1)));

            broker.broker().startAgain("artemis-1");
            awaitCopies(session.connection(), 2);
            NumberedMessages.sendAcknowledged(producer, 101, 200, 100);
            broker.broker().kill("artemis-2");
            awaitAcknowledged(producer, 200);
            awaitCopies(session.connection(), 1);
            assertThat(session.connection().leaders(List.of(topic)))
                    .containsExactly(List.of(nodes.get(0), nodes.get(0)));
            await("all messages")
                    .until(() -> listener.messages().stream()
                                    .map(message -> NumberedPayload.numberOf(message.payload()))
                                    .distinct()
                                    .count()
                            == 201);
            assertThat(session.events().fatals()).isEmpty();
        }
    }

    /** Sends a message until it is acknowledged: messages in flight fail with their connection. */
    private static void awaitAcknowledged(BenchmarkProducer producer, int number) {
        await("an acknowledgement of message " + number).until(() -> {
            RecordingCallback callback = new RecordingCallback("message " + number);
            producer.send("key", NumberedPayload.of(number, 100), callback);
            await("an answer").until(() -> callback.calls() > 0);
            return callback.acknowledgements() == 1;
        });
    }

    private static void awaitCopies(DriverConnection connection, int copies) {
        await(copies + " copies")
                .ignoreExceptions()
                .until(() -> guarantee(connection).copies() == copies);
    }

    private static Guarantee guarantee(DriverConnection connection) throws DriverException, InterruptedException {
        return Objects.requireNonNull(connection.describeBroker().guarantee());
    }
}
