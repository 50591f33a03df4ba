package io.openmessaging.benchmark.driver.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBrokerOptions.Security;
import io.openmessaging.benchmark.broker.kafka.KafkaLocalBroker;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests logins that the local broker does not offer by itself; {@link SecurityIT} tests the others. */
@LongSuite("starts a broker for each login")
class LoginIT {

    @TempDir
    private Path folder;

    @Test
    void aCertificateOfTheClientIsALoginByItself() throws Exception {
        Setup setup = new Setup(1, null, Map.of("ssl.client.auth", "required"), new Security(true, false));
        try (TestBroker<KafkaConfig> broker = start(setup)) {
            ShippedDriverFile without = broker.driverFile();
            String text = Files.readString(without.path());
            String key = text.lines()
                    .filter(line -> line.contains("ssl.truststore"))
                    .map(line -> line.replace("truststore", "keystore").replace("trusted.p12", "client.p12") + "\n")
                    .collect(Collectors.joining());
            assertThat(key).contains("client.p12");
            assertMessagesTravel(ShippedDriverFile.read(Files.writeString(folder.resolve("with-key.yaml"), text + key))
                    .config(KafkaConfig.class));
            assertRefused(without.config(KafkaConfig.class), "bad_certificate");
        }
    }

    /** Uses the unsigned tokens that Kafka ships for trials. */
    @Test
    void aTokenIsALogin() throws Exception {
        String ofBroker = "listener.name.sasl_plaintext.oauthbearer.";
        Setup setup = new Setup(
                1,
                null,
                Map.of(
                        "sasl.enabled.mechanisms",
                        "PLAIN,SCRAM-SHA-512,OAUTHBEARER",
                        ofBroker + "sasl.jaas.config",
                        token("unsecuredLoginStringClaim_sub=\"broker\" unsecuredValidatorRequiredScope=\"bench\"")),
                new Security(false, true));
        try (TestBroker<KafkaConfig> broker = start(setup)) {
            String user = "unsecuredLoginStringClaim_sub=\"somebody\"";
            assertMessagesTravel(withToken(broker, user + " unsecuredLoginListClaim_scope=\",bench\""));
            assertRefused(withToken(broker, user + " unsecuredLoginListClaim_scope=\",other\""), "insufficient_scope");
        }
    }

    private static TestBroker<KafkaConfig> start(Setup setup) {
        return TestBroker.start(new KafkaBenchmarkDriver(), new KafkaLocalBroker(), setup);
    }

    private static String token(String options) {
        return "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required " + options + ";";
    }

    private static KafkaConfig withToken(TestBroker<KafkaConfig> broker, String options) {
        return broker.reach(TestConfigs.withCommon("security.protocol=SASL_PLAINTEXT\nsasl.mechanism=OAUTHBEARER\n"
                + "sasl.jaas.config=" + token(options)));
    }

    private static void assertMessagesTravel(KafkaConfig config) throws Exception {
        try (DriverSession session = DriverSession.open(new KafkaBenchmarkDriver(), config, Patience.LIMIT)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            RecordingCallback callback = new RecordingCallback("the message");
            session.producer(topic).send(null, NumberedPayload.of(7, 100), callback);
            callback.awaitAcknowledged(Patience.LIMIT);
            assertThat(listener.awaitMessages(1, Patience.LIMIT))
                    .extracting(message -> NumberedPayload.numberOf(message.payload()))
                    .containsExactly(7);
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }

    private static void assertRefused(KafkaConfig config, String reason) {
        assertThatThrownBy(() -> DriverSession.open(new KafkaBenchmarkDriver(), config, Patience.LIMIT)
                        .close())
                .isInstanceOf(DriverException.class)
                .hasMessageStartingWith("Could not reach Kafka at ")
                .hasMessageContaining(reason);
    }
}
