package io.openmessaging.benchmark.driver.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import io.openmessaging.benchmark.suite.Patience;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.apache.pulsar.client.api.PulsarClient;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the headers that a client without knowledge of this driver reads. */
class MessagePropertiesIT {

    @RegisterExtension
    static final LocalPulsar PULSAR = new LocalPulsar();

    private static final Map<String, String> HEADERS = Map.of("header-1", "one", "header-2", "2".repeat(100));

    @ParameterizedTest
    @CsvSource({"true, 100", "false, 1"})
    void headersArePropertiesAndMessagesShareBatchesAllTheSame(boolean batches, int messagesOfABatch) throws Exception {
        PulsarConfig config = PULSAR.reach(TestConfigs.of("producer: {batchingEnabled: " + batches
                + ", batchingMaxPublishDelayMs: 10000, batchingMaxMessages: " + messagesOfABatch + "}"));
        String runId = "headers" + System.nanoTime();
        TopicSpec topic = new TopicSpec("t", 1);
        try (PulsarConnection connection =
                        PulsarConnection.open(config, new DriverContext(runId, Patience.LIMIT, new RecordingEvents()));
                PulsarClient raw = PulsarClient.builder()
                        .serviceUrl(config.client().serviceUrl())
                        .authentication(LocalPulsar.TOKENS, LocalPulsar.login().data())
                        .build()) {
            connection.createTopics(List.of(topic));
            try (Consumer<byte[]> consumer = raw.newConsumer()
                            .topic("benchmark/ns-" + runId + "/t")
                            .subscriptionName("s")
                            .subscribe();
                    BenchmarkProducer producer = connection
                            .createProducers(List.of(new ProducerSpec(0, topic, HEADERS)))
                            .get(0)) {
                for (int i = 0; i < 100; i++) {
                    producer.send(null, NumberedPayload.of(i, 100), new RecordingCallback("message " + i));
                }
                for (int i = 0; i < 100; i++) {
                    Message<byte[]> message = Patience.get("message " + i, consumer.receiveAsync());
                    assertThat(NumberedPayload.numberOf(message.getData())).isEqualTo(i);
                    assertThat(message.getProperties()).isEqualTo(HEADERS);
                    assertThat(Math.max(1, ((MessageIdAdv) message.getMessageId()).getBatchSize()))
                            .isEqualTo(messagesOfABatch);
                }
            } finally {
                connection.deleteTopics(List.of(topic));
            }
        }
    }
}
