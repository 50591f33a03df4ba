package io.openmessaging.benchmark.driver.artemis;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.ArtemisTls;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedMessages;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a broker that requires a login and uses TLS. */
@LongSuite("starts a broker of its own; SecurityIT has a login and TLS")
class LoginIT {

    private static final String STORE_PASSWORD = "store-password";

    @TempDir
    static Path folder;

    private static @Nullable LocalArtemis broker;

    @BeforeAll
    static void start() throws Exception {
        Path store = folder.resolve("broker.p12");
        createCertificate(store);
        broker = LocalArtemis.start(Map.of(
                "security-enabled",
                "true",
                "user",
                "bench",
                "password",
                "right",
                "acceptor-parameters",
                "sslEnabled=true;keyStorePath=" + store + ";keyStorePassword=" + STORE_PASSWORD));
    }

    /** Creates a self-signed certificate for 127.0.0.1. */
    private static void createCertificate(Path store) throws IOException, InterruptedException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "broker",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=127.0.0.1",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        STORE_PASSWORD)
                .inheritIO()
                .start();
        assertThat(Patience.exitCode("keytool", keytool)).isZero();
    }

    @AfterAll
    static void stop() {
        if (broker != null) {
            broker.close();
        }
    }

    @Test
    void whoMayLogInSendsAndReceives() throws Exception {
        try (DriverSession session = open(Map.of("user", "bench", "password", "right"), trusting())) {
            TopicSpec topic = session.topic(2);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            NumberedMessages.sendAcknowledged(session.producer(topic), 0, 100, 1000);
            NumberedMessages.assertGotAll(List.of(listener), 0, 100);
            assertThat(session.connection().describeBroker().version()).isNotEqualTo("unknown");
        }
    }

    @Test
    void aWrongPasswordIsASentence() {
        assertThatThrownBy(() -> open(Map.of("user", "bench", "password", "wrong"), trusting()))
                .isInstanceOf(DriverException.class)
                .hasMessageStartingWith("Could not open a session with Artemis at 127.0.0.1:")
                .hasMessageContaining(" as 'bench': ")
                .hasMessageContaining("Unable to validate user")
                .hasMessageNotContaining("wrong");
    }

    @Test
    void nobodyIsRefusedAsWell() {
        assertThatThrownBy(() -> open(Map.of(), trusting()))
                .isInstanceOf(DriverException.class)
                .hasMessageContaining("Unable to validate user");
    }

    @Test
    void aCertificateThatIsNotTrustedIsASentence() {
        assertThatThrownBy(() -> open(
                        Map.of("user", "bench", "password", "right"), new ArtemisTls(null, null, null, null, true)))
                .isInstanceOf(DriverException.class)
                .hasMessageStartingWith("Could not connect to Artemis at 127.0.0.1:")
                .hasMessageEndingWith("it listens, but refuses the client; is its certificate trusted?");
    }

    private static ArtemisTls trusting() {
        return new ArtemisTls(folder.resolve("broker.p12").toString(), STORE_PASSWORD, null, null, true);
    }

    private static DriverSession open(Map<String, ?> login, ArtemisTls tls)
            throws DriverException, InterruptedException {
        if (broker == null) {
            throw new IllegalStateException("The broker runs only during the tests.");
        }
        Map<String, Object> keys = new HashMap<>(login);
        keys.put("tls", tls);
        return DriverSession.open(new ArtemisBenchmarkDriver(), broker.reach(TestConfigs.with(keys)), TIMEOUT);
    }
}
