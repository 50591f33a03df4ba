package io.openmessaging.benchmark.driver.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.Protocol;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests a broker that requires a login. */
@LongSuite("starts a broker of its own, and SecurityIT is in the default suite")
class RocketMqUserIT {

    private static final String PROVIDERS = "org.apache.rocketmq.auth.authentication.provider.";

    @RegisterExtension
    static final LocalRocketMq ROCKETMQ = LocalRocketMq.with(Map.of(
            "authenticationEnabled", "true",
            "authenticationProvider", PROVIDERS + "DefaultAuthenticationProvider",
            "authenticationMetadataProvider", PROVIDERS + "LocalAuthenticationMetadataProvider",
            "initAuthenticationUser", "{\"username\":\"bench\",\"password\":\"secret-123\"}",
            "innerClientAuthenticationCredentials", "{\"accessKey\":\"bench\",\"secretKey\":\"secret-123\"}"));

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aUserSendsAndReceives(Protocol protocol) throws Exception {
        try (DriverSession session = open(protocol, "bench", "secret-123")) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            RecordingCallback callback = new RecordingCallback("the message");
            session.producer(topic).send("key", NumberedPayload.of(1, 100), callback);
            callback.awaitAcknowledged(Patience.LIMIT);
            assertThat(listener.awaitMessages(1, Patience.LIMIT)).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aWrongPasswordIsRefused(Protocol protocol) {
        assertThatThrownBy(() -> open(protocol, "bench", "wrong"))
                .isInstanceOf(DriverException.class)
                .hasMessageStartingWith("Could not ask the broker at 127.0.0.1:")
                .hasMessageContaining("check signature failed");
    }

    private static DriverSession open(Protocol protocol, String user, String password) throws Exception {
        Map<String, Object> keys = new HashMap<>();
        keys.put("protocol", protocol);
        keys.put("awaitDuration", Duration.ofMillis(500));
        keys.put("accessKey", user);
        keys.put("secretKey", password);
        return DriverSession.open(
                new RocketMQBenchmarkDriver(), ROCKETMQ.reach(TestConfigs.patient(keys)), Patience.LIMIT);
    }
}
