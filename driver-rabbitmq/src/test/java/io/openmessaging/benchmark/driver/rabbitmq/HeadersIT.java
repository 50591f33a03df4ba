package io.openmessaging.benchmark.driver.rabbitmq;

import static io.openmessaging.benchmark.driver.rabbitmq.Sending.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.Message;
import com.rabbitmq.stream.OffsetSpecification;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.Patience;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests what RabbitMQ's own clients find in messages with headers. */
class HeadersIT {

    @RegisterExtension
    static final LocalRabbitMq RABBITMQ = LocalRabbitMq.shared();

    private static final Map<String, String> HEADERS = Map.of("header-1", "one", "header-2", "2".repeat(300));

    /** No key, one that becomes the message id, and one that becomes a header. */
    private static final List<@Nullable String> KEYS = Arrays.asList(null, "k", "k".repeat(100));

    @ParameterizedTest
    @EnumSource(names = {"CLASSIC", "QUORUM"})
    void messagesOfQueuesHaveThem(QueueType type) throws Exception {
        try (DriverSession session = open(type)) {
            TopicSpec topic = session.topic(1);
            session.close(session.consumer(topic, "s", new RecordingListener()));
            sendOneOfEachKey(session.producer(topic, HEADERS));
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri("amqp://" + RABBITMQ.address());
            try (Connection connection = factory.newConnection();
                    Channel channel = connection.createChannel()) {
                for (String key : KEYS) {
                    GetResponse message = channel.basicGet(topic.name() + ".s-0", true);
                    Map<String, String> found = new HashMap<>();
                    message.getProps().getHeaders().forEach((name, value) -> found.put(name, value.toString()));
                    found.remove("message_key");
                    assertThat(found).as("headers with key %s", key).isEqualTo(HEADERS);
                }
            }
        }
    }

    @Test
    void messagesOfStreamsHaveThemAsApplicationProperties() throws Exception {
        try (DriverSession session = open(QueueType.STREAM)) {
            TopicSpec topic = session.topic(1);
            sendOneOfEachKey(session.producer(topic, HEADERS));
            BlockingQueue<Message> found = new LinkedBlockingQueue<>();
            try (Environment environment = Environment.builder()
                    .uri("rabbitmq-stream://" + RABBITMQ.streamAddress())
                    .build()) {
                environment.consumerBuilder().stream(topic.name())
                        .offset(OffsetSpecification.first())
                        .messageHandler((at, message) -> found.add(message))
                        .build();
                for (String key : KEYS) {
                    Message message = Patience.take("message with key " + key, found);
                    assertThat(message.getApplicationProperties()).isEqualTo(HEADERS);
                }
            }
        }
    }

    private static DriverSession open(QueueType type) throws Exception {
        RabbitMqConfig config = RABBITMQ.config("queueType", type);
        return DriverSession.open(new RabbitMqBenchmarkDriver(), config, TIMEOUT);
    }

    private static void sendOneOfEachKey(BenchmarkProducer producer) throws InterruptedException {
        List<RecordingCallback> callbacks = new ArrayList<>();
        for (String key : KEYS) {
            callbacks.add(new RecordingCallback("a message with key " + key));
            producer.send(key, new byte[10], callbacks.get(callbacks.size() - 1));
        }
        for (RecordingCallback callback : callbacks) {
            callback.awaitAcknowledged(TIMEOUT);
        }
    }
}
