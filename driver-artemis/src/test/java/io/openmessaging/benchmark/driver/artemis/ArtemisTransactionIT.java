package io.openmessaging.benchmark.driver.artemis;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.ArtemisTransaction;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedMessages;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests when the messages of a transaction are acknowledged and delivered. */
class ArtemisTransactionIT {

    private static final Duration NEVER = Duration.ofHours(1);

    @Test
    void messagesAreAcknowledgedAndDeliveredWithTheLastOfTheirTransaction() throws Exception {
        try (DriverSession session = open(new ArtemisTransaction(10, NEVER))) {
            TopicSpec topic = session.topic(2);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            BenchmarkProducer witness = session.producer(topic);
            List<RecordingCallback> callbacks = new ArrayList<>(NumberedMessages.send(producer, 0, 9, 100));
            // A later transaction of another producer is committed.
            NumberedMessages.sendAcknowledged(witness, 100, 110, 100);
            NumberedMessages.assertGotAll(List.of(listener), 100, 110);
            assertThat(callbacks).allMatch(callback -> callback.calls() == 0, "not answered");

            callbacks.addAll(NumberedMessages.send(producer, 9, 10, 100));
            assertThat(callbacks).allMatch(callback -> callback.acknowledgements() == 1, "acknowledged");
            listener.awaitMessages(20, TIMEOUT);
        }
    }

    @Test
    void whatIsNotCompleteIsCommittedAfterAWhileOrAtTheEnd() throws Exception {
        try (DriverSession session = open(new ArtemisTransaction(10, Duration.ofMillis(50)));
                DriverSession patient = open(new ArtemisTransaction(10, NEVER))) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            NumberedMessages.sendAcknowledged(session.producer(topic), 0, 3, 100);
            BenchmarkProducer ending = patient.producer(topic);
            List<RecordingCallback> callbacks = NumberedMessages.send(ending, 3, 6, 100);
            patient.close(ending);
            assertThat(callbacks).allMatch(callback -> callback.acknowledgements() == 1, "acknowledged");
            NumberedMessages.assertGotAll(List.of(listener), 0, 6);
        }
    }

    private static DriverSession open(ArtemisTransaction transaction) throws Exception {
        ArtemisConfig config = LocalArtemis.shared().reach(TestConfigs.with("transaction", transaction));
        return DriverSession.open(new ArtemisBenchmarkDriver(), config, TIMEOUT);
    }
}
