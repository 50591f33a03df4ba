package io.openmessaging.benchmark.driver.rabbitmq;

import static io.openmessaging.benchmark.driver.rabbitmq.Sending.TIMEOUT;
import static io.openmessaging.benchmark.driver.rabbitmq.Sending.arrived;
import static io.openmessaging.benchmark.driver.rabbitmq.Sending.sendAcknowledged;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.rabbitmq.RabbitMqLocalBroker;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.rabbitmq.config.TestConfigs;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.suite.LongSuite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests a broker that accepts clients with a token from an issuer whose key it knows. */
@LongSuite("starts a broker of its own")
class OAuthIT {

    private static final String ALL = "rabbitmq.read:*/* rabbitmq.write:*/* rabbitmq.configure:*/*";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static KeyPair keys;

    @SuppressWarnings("NullAway.Init")
    private static TestBroker<RabbitMqConfig> broker;

    @BeforeAll
    static void startBroker() throws Exception {
        keys = newKeys();
        Path publicKey = folder.resolve("public.pem");
        Files.writeString(
                publicKey,
                "-----BEGIN PUBLIC KEY-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(keys.getPublic().getEncoded())
                        + "\n-----END PUBLIC KEY-----\n");
        Map<String, String> settings = Map.of(
                "auth_backends.1", "rabbit_auth_backend_oauth2",
                "auth_backends.2", "internal",
                "auth_oauth2.resource_server_id", "rabbitmq",
                "auth_oauth2.default_key", "issuer",
                "auth_oauth2.signing_keys.issuer", publicKey.toString());
        broker = TestBroker.start(
                new RabbitMqBenchmarkDriver(), new RabbitMqLocalBroker(), TestBroker.Setup.with(settings));
    }

    @AfterAll
    static void endBroker() {
        broker.close();
    }

    private static KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }

    private static String token(KeyPair signer, Instant expiry) throws GeneralSecurityException {
        String claims = "{\"sub\":\"benchmark\",\"aud\":\"rabbitmq\",\"scope\":\"" + ALL + "\",\"exp\":"
                + expiry.getEpochSecond() + "}";
        String signed = base64("{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"issuer\"}".getBytes(UTF_8))
                + "."
                + base64(claims.getBytes(UTF_8));
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(signer.getPrivate());
        signature.update(signed.getBytes(UTF_8));
        return signed + "." + base64(signature.sign());
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static RabbitMqConfig config(QueueType type, String token) {
        return broker.reach(
                TestConfigs.of("queueType", type, "amqpUris", List.of("amqp://:" + token + "@" + "localhost")));
    }

    @ParameterizedTest
    @EnumSource(names = {"QUORUM", "SUPER_STREAM"})
    void aTokenIsALogin(QueueType type) throws Exception {
        RabbitMqConfig config = config(type, token(keys, Instant.now().plus(Duration.ofHours(1))));
        try (DriverSession session = DriverSession.open(new RabbitMqBenchmarkDriver(), config, TIMEOUT)) {
            TopicSpec topic = session.topic(2);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            sendAcknowledged(session.producer(topic), 0, 100);
            assertThat(arrived(listener, 100)).hasSize(100);
            assertThat(session.connection().leaders(List.of(topic)))
                    .containsExactly(List.of(
                            broker.addresses().get(0), broker.addresses().get(0)));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"QUORUM", "STREAM"})
    void aTokenOfSomebodyElseIsNone(QueueType type) throws Exception {
        isRefused(type, token(newKeys(), Instant.now().plus(Duration.ofHours(1))));
    }

    @ParameterizedTest
    @EnumSource(names = {"QUORUM", "STREAM"})
    void aTokenThatHasExpiredIsNone(QueueType type) throws Exception {
        isRefused(type, token(keys, Instant.now().minus(Duration.ofHours(1))));
    }

    private static void isRefused(QueueType type, String token) {
        assertThatThrownBy(() -> DriverSession.open(new RabbitMqBenchmarkDriver(), config(type, token), TIMEOUT))
                .isInstanceOf(DriverException.class)
                .hasMessageStartingWith("Could not reach RabbitMQ at "
                        + broker.addresses().get(0) + " (vhost '/', user ''): ACCESS_REFUSED")
                .hasMessageNotContaining(token);
    }
}
