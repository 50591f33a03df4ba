package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.pulsar.PulsarLocalBroker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** A real Pulsar with one bookie, the same for all test classes, that only lets those in who have a token. */
final class LocalPulsar implements BeforeAllCallback {

    static final String TOKENS = "org.apache.pulsar.client.impl.auth.AuthenticationToken";

    private static final byte[] KEY = "a key of the tests, 32 bytes long, or more".getBytes(StandardCharsets.UTF_8);

    private @Nullable RunningBroker broker;

    /** The broker and its folder, released when the last test is done. */
    private record Running(RunningBroker broker, Path folder) implements AutoCloseable {

        static Running start() {
            try {
                Path folder = Files.createTempDirectory("driver-pulsar-");
                LocalBrokerOptions options = new LocalBrokerOptions(
                        1,
                        null,
                        Path.of(System.getProperty("benchmark.home")),
                        folder.resolve("pulsar"),
                        0,
                        LocalBrokerOptions.Lifetime.WITH_STARTER,
                        System.err::println,
                        settings());
                return new Running(new PulsarLocalBroker().start(options), folder);
            } catch (Exception e) {
                throw new IllegalStateException("No Pulsar to test with: " + e.getMessage(), e);
            }
        }

        @Override
        public void close() throws IOException {
            broker.close();
            Files.deleteIfExists(folder);
        }
    }

    private static Map<String, String> settings() {
        return Map.of(
                // For so long a Failover subscription waits before it gives a partition to a consumer; 1 s by default.
                "activeConsumerFailoverDelayTimeMillis",
                "200",
                "authenticationEnabled",
                "true",
                "authenticationProviders",
                "org.apache.pulsar.broker.authentication.AuthenticationProviderToken",
                "tokenSecretKey",
                "data:;base64," + Base64.getEncoder().encodeToString(KEY),
                "brokerClientAuthenticationPlugin",
                TOKENS,
                "brokerClientAuthenticationParameters",
                "token:" + token("broker", KEY),
                "superUserRoles",
                "broker,bench");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        Running running = context.getRoot()
                .getStore(Namespace.create(LocalPulsar.class))
                .computeIfAbsent(Running.class, type -> Running.start(), Running.class);
        broker = running.broker();
    }

    RunningBroker broker() {
        if (broker == null) {
            throw new IllegalStateException("The broker runs only during the tests of its class.");
        }
        return broker;
    }

    /** The same configuration, pointed to this broker and with a token that it takes. */
    PulsarConfig reach(PulsarConfig config) {
        return reach(config, new Login(TOKENS, "token:" + token("bench", KEY)));
    }

    /** The same configuration, pointed to this broker. */
    PulsarConfig reach(PulsarConfig config, Login login) {
        PulsarBenchmarkDriver driver = new PulsarBenchmarkDriver();
        PulsarConfig pointed = driver.withAddresses(config, broker().addresses());
        List<String> http = broker().endpoints().getOrDefault("http", List.of());
        return TestConfigs.withLogin(driver.withEndpoint(pointed, "http", http), login);
    }

    /** A token that says who someone is, signed with the key. */
    static String token(String role, byte[] key) {
        String content = base64("{\"alg\":\"HS256\"}") + "." + base64("{\"sub\":\"" + role + "\"}");
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            byte[] signature = mac.doFinal(content.getBytes(StandardCharsets.UTF_8));
            return content + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
