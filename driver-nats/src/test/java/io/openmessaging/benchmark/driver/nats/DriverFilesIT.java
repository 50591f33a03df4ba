package io.openmessaging.benchmark.driver.nats;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.assertGotAll;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.sendAcknowledged;
import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.nats.NatsLocalBroker;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import io.openmessaging.benchmark.driver.testkit.guarantee.DocumentedGuarantee;
import io.openmessaging.benchmark.suite.LongSuite;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests every driver file of this module, unchanged except for the address, with servers started as the file requests.
 */
@LongSuite("starts a server or a cluster for each driver file")
class DriverFilesIT {

    static List<ShippedDriverFile> files() {
        return ShippedDriverFile.all();
    }

    @ParameterizedTest
    @MethodSource("files")
    void messagesTravel(ShippedDriverFile file) throws Exception {
        NatsBenchmarkDriver driver = new NatsBenchmarkDriver();
        Setup setup = new Setup(file.brokerNodes(), null, file.brokerSettings());
        try (TestBroker<NatsConfig> broker = TestBroker.start(driver, new NatsLocalBroker(), setup);
                DriverSession session =
                        DriverSession.open(driver, broker.reach(file.config(NatsConfig.class)), TIMEOUT)) {
            assertThat(session.connection().describeBroker().nodes()).hasSize(file.brokerNodes());
            assertThat(DocumentedGuarantee.of(
                            session.connection().describeBroker().guarantee()))
                    .isEqualTo(DocumentedGuarantee.of(file));
            TopicSpec topic = session.topic(3);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            sendAcknowledged(session.producer(topic), 0, 200, 1024);
            assertGotAll(List.of(listener), 0, 200);
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }
}
