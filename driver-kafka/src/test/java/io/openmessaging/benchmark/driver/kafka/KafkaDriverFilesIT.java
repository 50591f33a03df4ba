package io.openmessaging.benchmark.driver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.kafka.KafkaLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.RecordingListener.ReceivedMessage;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import io.openmessaging.benchmark.driver.testkit.guarantee.DocumentedGuarantee;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests every driver file of this module, unchanged except for the addresses, against three nodes. */
@LongSuite("runs every driver file against three nodes; DriverFilesTest reads them all")
class KafkaDriverFilesIT {

    private static TestBroker<KafkaConfig> kafka;

    // Three nodes use too many resources to be kept for the classes that follow.
    @BeforeAll
    static void start() {
        kafka = TestBroker.start(new KafkaBenchmarkDriver(), new KafkaLocalBroker(), Setup.ofNodes(3));
    }

    @AfterAll
    static void stop() {
        kafka.close();
    }

    static List<ShippedDriverFile> files() {
        return ShippedDriverFile.all();
    }

    @ParameterizedTest
    @MethodSource("files")
    void messagesTravel(ShippedDriverFile file) throws Exception {
        int messages = 200;
        try (DriverSession session = DriverSession.open(
                new KafkaBenchmarkDriver(), kafka.reach(file.config(KafkaConfig.class)), Patience.LIMIT)) {
            assertThat(session.connection().describeBroker().nodes()).isEqualTo(kafka.addresses());
            assertThat(DocumentedGuarantee.of(
                            session.connection().describeBroker().guarantee()))
                    .isEqualTo(DocumentedGuarantee.of(file));
            TopicSpec topic = session.topic(3);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            List<RecordingCallback> callbacks = new ArrayList<>();
            for (int i = 0; i < messages; i++) {
                RecordingCallback callback = new RecordingCallback("message " + i);
                callbacks.add(callback);
                producer.send("key-" + i, NumberedPayload.of(i, 1024), callback);
            }
            for (RecordingCallback callback : callbacks) {
                callback.awaitAcknowledged(Patience.LIMIT);
            }
            assertThat(listener.awaitMessages(messages, Patience.LIMIT))
                    .extracting(ReceivedMessage::payload)
                    .extracting(NumberedPayload::numberOf)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, messages).boxed().toList());
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }
}
