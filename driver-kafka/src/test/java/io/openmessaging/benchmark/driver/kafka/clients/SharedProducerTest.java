package io.openmessaging.benchmark.driver.kafka.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class SharedProducerTest {

    private static final byte[] PAYLOAD = {1};

    private final List<MockProducer<String, byte[]>> clients = new ArrayList<>();
    private final SharedProducers shared = new SharedProducers(2, this::newClient);
    private final SharedProducer a = producer(0, "a");
    private final SharedProducer b = producer(2, "b");
    private final RecordingCallback onA = new RecordingCallback("of a");
    private final RecordingCallback onB = new RecordingCallback("of b");

    private MockProducer<String, byte[]> newClient(int number) {
        MockProducer<String, byte[]> client =
                new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer());
        clients.add(client);
        return client;
    }

    private SharedProducer producer(int id, String topic) {
        return new SharedProducer(shared.enter(id), Records.of(topic, Map.of(), null), Duration.ofMillis(100));
    }

    private MockProducer<String, byte[]> client() {
        return clients.get(0);
    }

    @Test
    void producersShareAsManyClientsAsTheyMay() throws InterruptedException {
        SharedProducer other = producer(1, "c");
        assertThat(clients).hasSize(2);
        a.send("key", PAYLOAD, onA);
        b.send(null, PAYLOAD, onB);
        other.send(null, PAYLOAD, new RecordingCallback("of c"));
        assertThat(clients.get(0).history())
                .containsExactly(new ProducerRecord<>("a", "key", PAYLOAD), new ProducerRecord<>("b", PAYLOAD));
        assertThat(clients.get(1).history()).containsExactly(new ProducerRecord<>("c", PAYLOAD));
    }

    @Test
    void theClientIsClosedWithTheLastOfItsProducers() throws InterruptedException {
        a.close();
        a.close();
        assertThat(client().closed()).isFalse();
        b.send(null, PAYLOAD, onB);
        client().completeNext();
        assertThat(onB.acknowledgements()).isEqualTo(1);
        b.close();
        assertThat(client().closed()).isTrue();
        producer(0, "a").close();
        assertThat(clients).as("a producer after the last one has a new client").hasSize(2);
    }

    @Test
    void whatIsUnansweredWhenAProducerClosesFailsAndTheOthersGoOn() throws InterruptedException {
        a.send(null, PAYLOAD, onA);
        b.send(null, PAYLOAD, onB);
        a.close();
        assertThat(onA.failures())
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .hasMessage("The producer was closed before Kafka acknowledged the message"));
        client().completeNext();
        client().completeNext();
        assertThat(onA.calls())
                .as("calls for a message that was given up and answered later")
                .isEqualTo(1);
        assertThat(onB.acknowledgements()).isEqualTo(1);
        b.close();
    }

    @Test
    void anInterruptedCloseDoesNotWait() throws InterruptedException {
        SharedProducer patient =
                new SharedProducer(shared.enter(4), Records.of("a", Map.of(), null), Duration.ofHours(1));
        patient.send(null, PAYLOAD, onA);
        Thread.currentThread().interrupt();
        patient.close();
        assertThat(Thread.interrupted()).as("interrupt status after the close").isTrue();
        assertThat(onA.calls()).isEqualTo(1);
    }

    @Test
    void aRefusalThrownIsAFailure() throws InterruptedException {
        client().sendException = new KafkaException("The producer is in a bad state.");
        a.send(null, PAYLOAD, onA);
        assertThat(onA.failures()).containsExactly(client().sendException);
        a.close();
    }
}
