package io.openmessaging.benchmark.driver.kafka.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class KafkaBenchmarkProducerTest {

    private static final byte[] PAYLOAD = "payload".getBytes(StandardCharsets.UTF_8);

    private final MockProducer<String, byte[]> client =
            new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer());
    private final KafkaBenchmarkProducer producer = producer(Map.of());
    private final RecordingCallback callback = new RecordingCallback("the message");

    private KafkaBenchmarkProducer producer(Map<String, String> headers) {
        return new KafkaBenchmarkProducer(client, Records.of("topic", headers, null), Duration.ofSeconds(1));
    }

    @Test
    void keyAndPayloadAreHandedOver() throws InterruptedException {
        producer.send("key", PAYLOAD, callback);
        assertThat(client.history()).containsExactly(new ProducerRecord<>("topic", "key", PAYLOAD));
        assertThat(callback.calls()).isZero();
        client.completeNext();
        assertThat(callback.acknowledgements()).isEqualTo(1);
    }

    @Test
    void headersAreTheSameObjectsInEachMessage() throws InterruptedException {
        KafkaBenchmarkProducer withHeaders = producer(Map.of("name", "value"));
        withHeaders.send("key", PAYLOAD, callback);
        withHeaders.send("key", PAYLOAD, new RecordingCallback("another message"));
        Header first = client.history().get(0).headers().lastHeader("name");
        assertThat(first.value()).asString(StandardCharsets.UTF_8).isEqualTo("value");
        assertThat(client.history().get(1).headers().lastHeader("name")).isSameAs(first);
    }

    @Test
    void aRefusalThroughTheCallbackIsAFailure() throws InterruptedException {
        producer.send(null, PAYLOAD, callback);
        RecordTooLargeException refusal = new RecordTooLargeException();
        client.errorNext(refusal);
        assertThat(callback.failures()).containsExactly(refusal);
        assertThat(callback.calls()).isEqualTo(1);
    }

    @Test
    void aRefusalThrownIsAFailureToo() throws InterruptedException {
        client.sendException = new KafkaException("The producer is in a bad state.");
        producer.send(null, PAYLOAD, callback);
        assertThat(callback.failures()).containsExactly(client.sendException);
        assertThat(callback.calls()).isEqualTo(1);
    }

    @Test
    void anInterruptIsThrownAsOneAndTheCallbackIsLeftAlone() {
        client.sendException = new InterruptException("interrupted in the client");
        assertThatThrownBy(() -> producer.send(null, PAYLOAD, callback))
                .isInstanceOf(InterruptedException.class)
                .hasCause(client.sendException);
        assertThat(callback.calls()).isZero();
        assertThat(Thread.interrupted())
                .as("interrupt status, which the exception stands for")
                .isFalse();
    }

    @Test
    void closingClosesTheClient() {
        producer.close();
        assertThat(client.closed()).isTrue();
    }
}
