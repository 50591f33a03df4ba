package io.openmessaging.benchmark.driver.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaBenchmarkDriverTest {

    private final KafkaBenchmarkDriver driver = new KafkaBenchmarkDriver();

    @Test
    void addressesComeFromTheCommonSettings() {
        KafkaConfig config = TestConfigs.withCommon("bootstrap.servers = a:1 ,PLAINTEXT://b:2,[::1]:3");
        assertThat(driver.addresses(config)).containsExactly("a:1", "b:2", "[::1]:3");
    }

    @Test
    void otherAddressesLeaveTheRestAsItIs() {
        KafkaConfig config =
                new KafkaConfig(3, "flush.ms=0", "bootstrap.servers=a:1\nclient.id=x", "acks=all", "group.id=g", true);
        KafkaConfig moved = driver.withAddresses(config, List.of("127.0.0.1:7", "127.0.0.1:8"));
        assertThat(driver.addresses(moved)).containsExactly("127.0.0.1:7", "127.0.0.1:8");
        assertThat(ConfigRecords.with(moved, Map.of("commonConfig", config.commonConfig())))
                .isEqualTo(config);
        KafkaConfig back = driver.withAddresses(moved, List.of("a:1"));
        assertThat(KafkaSettings.parse(back.commonConfig()))
                .isEqualTo(Map.of("bootstrap.servers", "a:1", "client.id", "x"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "client.id=x", "client.id=x\n", "client.id=x\\", "client.id=x\\\n", "client.id=x\n#"})
    void otherAddressesMayFollowAnyText(String text) {
        KafkaConfig moved = driver.withAddresses(TestConfigs.withCommon(text), List.of("a:1", "b:2"));
        assertThat(driver.addresses(moved)).containsExactly("a:1", "b:2");
        String client = text.isEmpty() ? "" : "x";
        assertThat(KafkaSettings.parse(moved.commonConfig()).getOrDefault("client.id", ""))
                .isEqualTo(client);
    }

    @Test
    void theClientVersionIsThatOfTheLibrary() {
        assertThat(driver.clientVersion()).matches("kafka-clients \\d+\\.\\d+\\.\\d+");
    }

    @Test
    void aZoneThatIsNotSetIsASentence() {
        KafkaConfig config = TestConfigs.withCommon("bootstrap.servers=127.0.0.1:1\nclient.id={zone.id}");
        assertThatThrownBy(() -> driver.connect(config, context(Duration.ofSeconds(1))))
                .isInstanceOf(DriverException.class)
                .hasMessageContaining("zone.id is not set");
    }

    @Test
    void aHostThatDoesNotExistIsASentenceThatNamesIt() {
        KafkaConfig config = TestConfigs.withCommon("bootstrap.servers=no-such-host.invalid:9092");
        assertThatThrownBy(() -> driver.connect(config, context(Duration.ofSeconds(3))))
                .isInstanceOf(DriverException.class)
                .hasMessageStartingWith("Could not reach Kafka at no-such-host.invalid:9092: ");
    }

    @Test
    void aListenerThatDoesNotAnswerMayExpectAnotherProtocol() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            KafkaConfig config = TestConfigs.withCommon(
                    "bootstrap.servers=127.0.0.1:" + silent.getLocalPort() + "\nsecurity.protocol=SASL_PLAINTEXT\n"
                            + "sasl.mechanism=PLAIN\nsasl.jaas.config=org.apache.kafka.common.security.plain."
                            + "PlainLoginModule required username=\"u\" password=\"hidden\";");
            assertThatThrownBy(() -> driver.connect(config, context(Duration.ofSeconds(1))))
                    .isInstanceOf(DriverException.class)
                    .hasMessageContaining("no answer ")
                    .hasMessageContaining("check that its listener expects security.protocol=SASL_PLAINTEXT")
                    .hasMessageNotContaining("closed")
                    .hasMessageNotContaining("hidden");
        }
    }

    private static DriverContext context(Duration timeout) {
        return new DriverContext("run", timeout, new RecordingEvents());
    }
}
