package io.openmessaging.benchmark.driver.artemis;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedMessages;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import io.openmessaging.benchmark.driver.testkit.guarantee.DocumentedGuarantee;
import io.openmessaging.benchmark.suite.LongSuite;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests every driver file of this module, unchanged except for the address, against the broker that it requests. */
@LongSuite("starts a broker for each driver file; DriverFilesTest reads them")
class DriverFilesIT {

    static List<ShippedDriverFile> files() {
        return ShippedDriverFile.all();
    }

    @ParameterizedTest
    @MethodSource("files")
    void messagesTravelAndTheJournalInForceIsTold(ShippedDriverFile file) throws Exception {
        int messages = 200;
        try (LocalArtemis broker = LocalArtemis.start(file.brokerNodes(), file.brokerSettings());
                DriverSession session = DriverSession.open(
                        new ArtemisBenchmarkDriver(), broker.reach(file.config(ArtemisConfig.class)), TIMEOUT)) {
            assertThat(DocumentedGuarantee.of(
                            session.connection().describeBroker().guarantee()))
                    .isEqualTo(DocumentedGuarantee.of(file));
            TopicSpec topic = session.topic(3);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            NumberedMessages.sendAcknowledged(session.producer(topic), 0, messages, 1024);
            NumberedMessages.assertGotAll(List.of(listener), 0, messages);
            assertThat(session.events().clientErrors()).isEmpty();

            Map<String, String> told = session.connection().describeBroker().settings();
            Map<String, String> recorded = broker.broker().settings();
            if (file.brokerSettings().containsKey("persistence-enabled")) {
                assertThat(told).containsEntry("journal type", "none");
                assertThat(recorded).containsEntry("journal-type", "none, in memory");
            } else {
                assertThat(recorded.get("journal-type")).isIn("NIO", "ASYNCIO");
                assertThat(told).containsEntry("journal type", String.valueOf(recorded.get("journal-type")));
            }
        }
    }
}
