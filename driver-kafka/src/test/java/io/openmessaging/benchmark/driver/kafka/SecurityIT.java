package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.kafka.KafkaLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.security.SecurityContractTest;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;

@Order(1)
class SecurityIT extends SecurityContractTest<KafkaConfig> {

    @Override
    protected BenchmarkDriver<KafkaConfig> driver() {
        return new KafkaBenchmarkDriver();
    }

    @Override
    protected LocalBroker broker() {
        return new KafkaLocalBroker();
    }

    @Override
    protected String plainFile() {
        return "kafka.yaml";
    }

    /** Kafka closes the connection, and its client retries until its call times out. */
    @Override
    protected Duration limitOfUnsecured(boolean tls) {
        return Duration.ofSeconds(8);
    }

    @Override
    protected String refusalOfUnsecured(boolean tls) {
        // On a machine that is merely slow, no connection is closed.
        return "and connections were closed without an answer; .* check that its listener expects security.protocol=PLAINTEXT";
    }

    @Override
    protected String refusalOfWrongSecret() {
        return "invalid credentials";
    }

    /** Adds the broker's other login, and a client that presents its own certificate. */
    @Override
    protected List<String> variants(String driverFile) {
        String plain = driverFile
                .replace("SCRAM-SHA-512", "PLAIN")
                .replace("scram.ScramLoginModule", "plain.PlainLoginModule");
        String withKey = driverFile
                + driverFile
                        .lines()
                        .filter(line -> line.contains("ssl.truststore"))
                        .map(line -> line.replace("truststore", "keystore").replace("trusted.p12", "client.p12") + "\n")
                        .collect(Collectors.joining());
        return Stream.of(driverFile, plain, withKey).distinct().toList();
    }
}
