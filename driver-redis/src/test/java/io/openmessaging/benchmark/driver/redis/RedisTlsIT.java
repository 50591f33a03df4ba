package io.openmessaging.benchmark.driver.redis;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.assertGotAll;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.sendAcknowledged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;
import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisTls;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests connections with TLS on both sides: server and client present the same certificate. */
class RedisTlsIT {

    private static final String PASSWORD = "of-the-store";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static LocalRedis redis;

    private static int port;

    @BeforeAll
    static void start() throws Exception {
        Path store = createStore();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        Path certificate =
                pem("certificate", "CERTIFICATE", keys.getCertificate("redis").getEncoded());
        Path key = pem(
                "key",
                "PRIVATE KEY",
                keys.getKey("redis", PASSWORD.toCharArray()).getEncoded());
        port = LocalPorts.free(ListenAddress.LOOPBACK, 1, 0).get(0);
        redis = LocalRedis.start(Map.of(
                "tls-port",
                Integer.toString(port),
                "tls-cert-file",
                certificate.toString(),
                "tls-key-file",
                key.toString(),
                "tls-ca-cert-file",
                certificate.toString()));
    }

    private static Path createStore() throws IOException, InterruptedException {
        Path store = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "redis",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(Patience.exitCode("keytool", keytool))
                .as(Files.readString(folder.resolve("keytool.log")))
                .isZero();
        return store;
    }

    private static Path pem(String name, String type, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        return Files.writeString(
                folder.resolve(name + ".pem"),
                "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
    }

    @AfterAll
    static void stop() throws Exception {
        redis.close();
    }

    private static RedisConfig config(RedisMode mode, String host, Map<String, Object> more) {
        String store = folder.resolve("store.p12").toString();
        Map<String, Object> tls = new HashMap<>(Map.of("trustStore", store, "trustStorePassword", PASSWORD));
        tls.putAll(more);
        return Configs.of(
                Map.of("mode", mode, "redisHost", host, "redisPort", port, "tls", Configs.record(RedisTls.class, tls)));
    }

    private static RedisConfig config(RedisMode mode) {
        String store = folder.resolve("store.p12").toString();
        return config(mode, "localhost", Map.of("keyStore", store, "keyStorePassword", PASSWORD));
    }

    @ParameterizedTest
    @EnumSource(RedisMode.class)
    void messagesTravelEncryptedAndConsumersClose(RedisMode mode) throws Exception {
        try (DriverSession session = DriverSession.open(new RedisBenchmarkDriver(), config(mode), TIMEOUT)) {
            TopicSpec topic = session.topic(2);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            sendAcknowledged(session.producer(topic), 0, 500, 2000);
            assertGotAll(List.of(listener), 0, 500);
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }

    @Test
    void aHostNameThatIsNotInTheCertificateIsRefused() {
        RedisConfig other = config(RedisMode.STREAM, "127.0.0.1", Map.of());
        assertThatThrownBy(() -> DriverSession.open(new RedisBenchmarkDriver(), other, TIMEOUT))
                .isInstanceOf(DriverException.class)
                .hasMessageStartingWith("Could not reach Redis at 127.0.0.1:" + port + ": ")
                .hasMessageContaining("No subject alternative names matching IP address 127.0.0.1 found");
    }

    @Test
    void aStoreWithAnotherPasswordIsOneSentence() {
        RedisConfig wrong = config(RedisMode.STREAM, "localhost", Map.of("trustStorePassword", "wrong"));
        assertThatThrownBy(() -> DriverSession.open(new RedisBenchmarkDriver(), wrong, TIMEOUT))
                .isInstanceOf(DriverException.class)
                .hasMessageStartingWith("Could not reach Redis at localhost:" + port + ": ")
                .hasMessageContaining("password was incorrect");
    }
}
