package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.KeyCarrier;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.api.core.ActiveMQAddressFullException;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.apache.activemq.artemis.api.core.ActiveMQObjectClosedException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.junit.jupiter.api.Test;

class ArtemisBenchmarkProducerTest {

    private static final byte[] PAYLOAD = {1, 2, 3};
    private static final Duration TIMEOUT = Patience.LIMIT;

    private final FakeClientProducer client = new FakeClientProducer();
    private final RecordingCallback callback = new RecordingCallback("the message");

    @Test
    void aMessageIsAcknowledgedWhenTheBrokerSaysSo() throws Exception {
        producer(TestConfigs.defaults()).send(null, PAYLOAD, callback);

        assertThat(callback.calls()).isZero();
        ArtemisBenchmarkProducer.ANSWERS.sendAcknowledged(client.sent().get(0));
        assertThat(callback.acknowledgements()).isEqualTo(1);
    }

    @Test
    void aMessageFailsWhenTheBrokerSaysSo() throws Exception {
        producer(TestConfigs.defaults()).send(null, PAYLOAD, callback);

        ActiveMQAddressFullException refusal = new ActiveMQAddressFullException("full");
        ArtemisBenchmarkProducer.ANSWERS.sendFailed(client.sent().get(0), refusal);
        assertThat(callback.failures()).containsExactly(refusal);
    }

    @Test
    void withoutAWindowAMessageIsAcknowledgedOnceItIsSent() throws Exception {
        client.onSend(message -> assertThat(callback.calls()).isZero());

        producer(TestConfigs.with("confirmationWindowSize", -1)).send(null, PAYLOAD, callback);

        assertThat(callback.acknowledgements()).isEqualTo(1);
    }

    @Test
    void aRefusalThrownIsAFailure() throws Exception {
        ActiveMQObjectClosedException refusal = new ActiveMQObjectClosedException("closed");
        client.onSend(message -> {
            throw refusal;
        });

        producer(TestConfigs.defaults()).send(null, PAYLOAD, callback);
        assertThat(callback.failures()).containsExactly(refusal);

        RecordingCallback second = new RecordingCallback("the second message");
        producer(TestConfigs.with("blockOnDurableSend", true)).send(null, PAYLOAD, second);
        assertThat(second.failures()).containsExactly(refusal);
        assertThat(second.calls()).isEqualTo(1);
    }

    @Test
    void anInterruptIsThrownAsOneAndTheCallbackIsLeftAlone() {
        client.onSend(message -> {
            throw new ActiveMQInterruptedException(new InterruptedException());
        });
        ArtemisBenchmarkProducer producer = producer(TestConfigs.defaults());

        assertThatThrownBy(() -> producer.send(null, PAYLOAD, callback)).isInstanceOf(InterruptedException.class);
        assertThat(callback.calls()).isZero();
    }

    @Test
    void anInterruptThatIsSlowerThanTheBrokerLeavesTheMessageSent() throws Exception {
        client.onSend(message -> {
            ArtemisBenchmarkProducer.ANSWERS.sendAcknowledged(message);
            throw new ActiveMQInterruptedException(new InterruptedException());
        });

        producer(TestConfigs.defaults()).send(null, PAYLOAD, callback);

        assertThat(Thread.interrupted())
                .as("interrupt status, for the next call")
                .isTrue();
        assertThat(callback.acknowledgements()).isEqualTo(1);
        assertThat(callback.calls()).isEqualTo(1);
    }

    @Test
    void theKeyIsCarriedAsConfigured() throws Exception {
        producer(TestConfigs.defaults()).send("k", PAYLOAD, callback);
        producer(TestConfigs.with("keyCarrier", KeyCarrier.GROUP_ID)).send("k", PAYLOAD, callback);
        producer(TestConfigs.defaults()).send(null, PAYLOAD, callback);

        assertThat(client.sent())
                .extracting(message -> List.copyOf(message.getPropertyNames()))
                .containsExactly(List.of(SimpleString.of("key")), List.of(SimpleString.of("_AMQ_GROUP_ID")), List.of());
    }

    @Test
    void messagesWithoutAKeyGoRoundThePartitions() throws Exception {
        List<FakeClientProducer> partitions =
                List.of(new FakeClientProducer(), new FakeClientProducer(), new FakeClientProducer());
        ArtemisBenchmarkProducer producer = new ArtemisBenchmarkProducer(
                limit -> {}, List.copyOf(partitions), spec(4), TestConfigs.defaults(), TIMEOUT);

        for (int i = 0; i < 7; i++) {
            producer.send(null, new byte[] {(byte) i}, callback);
        }

        assertThat(partitions)
                .extracting(partition -> partition.sent().size())
                .as("messages of each partition, beginning with the one after the first")
                .containsExactly(2, 3, 2);
    }

    @Test
    void closingAwaitsAnswersBeforeTheSessionEnds() throws Exception {
        ArtemisBenchmarkProducer producer = new ArtemisBenchmarkProducer(
                limit -> assertThat(callback.calls())
                        .as("calls when the session ends")
                        .isEqualTo(1),
                List.of(client),
                spec(0),
                TestConfigs.defaults(),
                TIMEOUT);
        producer.send(null, PAYLOAD, callback);
        Thread broker = new Thread(() ->
                ArtemisBenchmarkProducer.ANSWERS.sendAcknowledged(client.sent().get(0)));
        broker.start();

        producer.close();
        broker.join();
        assertThat(callback.acknowledgements()).isEqualTo(1);
    }

    @Test
    void anInterruptedCloseEndsTheSessionAtOnce() throws Exception {
        ActiveMQObjectClosedException end = new ActiveMQObjectClosedException("closed");
        ArtemisBenchmarkProducer producer = new ArtemisBenchmarkProducer(
                limit -> ArtemisBenchmarkProducer.ANSWERS.sendFailed(
                        client.sent().get(0), end),
                List.of(client),
                spec(0),
                TestConfigs.defaults(),
                TIMEOUT);
        producer.send(null, PAYLOAD, callback);

        Thread.currentThread().interrupt();
        producer.close();
        assertThat(Thread.interrupted()).as("interrupt status").isTrue();
        assertThat(callback.failures()).containsExactly(end);
    }

    private static ProducerSpec spec(int id) {
        return new ProducerSpec(id, new TopicSpec("topic", 1));
    }

    private ArtemisBenchmarkProducer producer(ArtemisConfig config) {
        return new ArtemisBenchmarkProducer(limit -> {}, List.of(client), spec(0), config, TIMEOUT);
    }

    @Test
    void messagesAreDurableAsConfigured() throws Exception {
        producer(TestConfigs.defaults()).send(null, PAYLOAD, callback);
        producer(TestConfigs.with(Map.of("durable", false))).send(null, PAYLOAD, callback);

        assertThat(client.sent()).extracting(OutgoingMessage::isDurable).containsExactly(true, false);
    }
}
