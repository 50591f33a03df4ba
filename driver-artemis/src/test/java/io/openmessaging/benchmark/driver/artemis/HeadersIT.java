package io.openmessaging.benchmark.driver.artemis;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.ClientKind;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.util.HashMap;
import java.util.Map;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the headers that a client other than the driver's reads. */
class HeadersIT {

    private static final Map<String, String> HEADERS = Map.of("header-1", "one", "header-2", "2".repeat(500));

    @ParameterizedTest
    @EnumSource
    void everyMessageHasTheHeadersAsItsProperties(ClientKind client) throws Exception {
        ArtemisConfig config = LocalArtemis.shared(client).reach(TestConfigs.with("client", client));
        try (DriverSession session = DriverSession.open(new ArtemisBenchmarkDriver(), config, TIMEOUT)) {
            TopicSpec topic = session.topic(1);
            // The queue remains after its consumer closes.
            session.close(session.consumer(topic, "s", new RecordingListener()));
            var producer = session.producer(topic, HEADERS);
            for (String key : new String[] {"k", null}) {
                // The larger one is sent in parts.
                for (int bytes : new int[] {100, 200_000}) {
                    RecordingCallback callback = new RecordingCallback(bytes + " bytes");
                    producer.send(key, new byte[bytes], callback);
                    callback.awaitAcknowledged(TIMEOUT);
                }
            }
            String queue =
                    ArtemisTopics.queue(ArtemisTopics.whole(topic.name()), "s").toString();
            try (ServerLocator locator = ActiveMQClient.createServerLocator(
                            "tcp://" + LocalArtemis.shared(client).addresses().get(0));
                    ClientSessionFactory factory = locator.createSessionFactory();
                    ClientSession raw = factory.createSession();
                    ClientConsumer consumer = raw.createConsumer(queue)) {
                raw.start();
                for (int i = 0; i < 4; i++) {
                    assertThat(headersOf(consumer.receive(TIMEOUT.toMillis()))).isEqualTo(HEADERS);
                }
            }
        }
    }

    /** Returns all headers; clients and broker add properties of their own under other names. */
    private static Map<String, String> headersOf(@Nullable ClientMessage message) {
        assertThat(message).as("the message").isNotNull();
        Map<String, String> headers = new HashMap<>();
        message.getPropertyNames().stream()
                .map(Object::toString)
                .filter(name -> name.startsWith("header"))
                .forEach(name -> headers.put(name, String.valueOf(message.getStringProperty(name))));
        return headers;
    }
}
