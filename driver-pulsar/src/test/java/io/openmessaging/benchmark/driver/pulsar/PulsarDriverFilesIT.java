package io.openmessaging.benchmark.driver.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.Arrivals;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import io.openmessaging.benchmark.driver.testkit.guarantee.DocumentedGuarantee;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests every driver file of this module, unchanged except for addresses, login and the number of bookies. Some
 * messages that are not stored may be lost, mainly in bursts; no others may be lost.
 */
@LongSuite("runs every driver file against a broker; DriverFilesTest reads them all")
class PulsarDriverFilesIT {

    @RegisterExtension
    static final LocalPulsar PULSAR = LocalPulsar.withoutTransactions();

    @RegisterExtension
    static final LocalPulsar TRANSACTIONAL = new LocalPulsar();

    static List<ShippedDriverFile> files() {
        return ShippedDriverFile.all();
    }

    @ParameterizedTest
    @MethodSource("files")
    void messagesTravel(ShippedDriverFile file) throws Exception {
        int messages = 200;
        PulsarConfig config = file.config(PulsarConfig.class);
        LocalPulsar pulsar = config.producer().transaction() == null ? PULSAR : TRANSACTIONAL;
        try (DriverSession session =
                DriverSession.open(new PulsarBenchmarkDriver(), pulsar.reach(config), Patience.LIMIT)) {
            assertThat(DocumentedGuarantee.of(
                            session.connection().describeBroker().guarantee()))
                    .isEqualTo(DocumentedGuarantee.of(file));
            TopicSpec topic = session.topic(3);
            RecordingListener first = new RecordingListener();
            RecordingListener second = new RecordingListener();
            session.consumers(session.consumerOf(topic, "s", first), session.consumerOf(topic, "s", second));
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
            if (config.client().isPersistent()) {
                Arrivals.await(file.toString(), 0, messages, Patience.LIMIT, first, second)
                        .areExactly(0, messages);
            } else {
                first.awaitQuiet(Duration.ofMillis(500), Patience.LIMIT);
                assertThat(List.of(first, second))
                        .flatExtracting(RecordingListener::messages)
                        .extracting(message -> NumberedPayload.numberOf(message.payload()))
                        .isNotEmpty()
                        .doesNotHaveDuplicates()
                        .isSubsetOf(IntStream.range(0, messages).boxed().toList());
            }
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }
}
