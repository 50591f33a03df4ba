package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.broker.pulsar.PulsarLocalBroker;
import io.openmessaging.benchmark.driver.pulsar.ClientConfig.PulsarLogin;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.driver.testkit.TestBrokerExtension;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A real Pulsar with one bookie and a transaction coordinator, shared by most test classes, that accepts only clients
 * with a token.
 */
final class LocalPulsar extends TestBrokerExtension<PulsarConfig> {

    static final String TOKENS = "org.apache.pulsar.client.impl.auth.AuthenticationToken";

    private static final byte[] KEY = "a key of the tests, 32 bytes long, or more".getBytes(StandardCharsets.UTF_8);

    LocalPulsar() {
        this("pulsar-delayed.yaml", "pulsar-transactions.yaml");
    }

    private LocalPulsar(String... driverFiles) {
        super(new PulsarBenchmarkDriver(), new PulsarLocalBroker(), Setup.with(settings(driverFiles)));
    }

    /** Returns a broker without a transaction coordinator, which makes each topic more expensive. */
    static LocalPulsar withoutTransactions() {
        return new LocalPulsar("pulsar-delayed.yaml");
    }

    /** Returns the settings that the driver files request and those that all tests need. */
    private static Map<String, String> settings(String... driverFiles) {
        Map<String, String> settings = new TreeMap<>(settings());
        for (String driverFile : driverFiles) {
            settings.putAll(ShippedDriverFile.named(driverFile).brokerSettings());
        }
        return settings;
    }

    private static Map<String, String> settings() {
        return Map.of(
                // Time that a Failover subscription waits before it assigns a partition to a consumer; 1 s by default.
                "activeConsumerFailoverDelayTimeMillis",
                "200",
                // Bytes that may wait for a consumer's connection before the broker drops messages of non-persistent
                // topics: the default of 64 KiB is little on a busy machine.
                "pulsarChannelWriteBufferHighWaterMark",
                "8388608",
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

    /** Returns a login that this broker accepts. */
    static PulsarLogin login() {
        return new PulsarLogin(TOKENS, "token:" + token("bench", KEY));
    }

    /** Returns the same configuration with the address of this broker and a token that it accepts. */
    @Override
    public PulsarConfig reach(PulsarConfig config) {
        return reach(config, login());
    }

    /** Returns the same configuration with the address of this broker and this login. */
    PulsarConfig reach(PulsarConfig config, PulsarLogin login) {
        return TestConfigs.withLogin(super.reach(config), login);
    }

    /** Returns a token for a role, signed with the key. */
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
