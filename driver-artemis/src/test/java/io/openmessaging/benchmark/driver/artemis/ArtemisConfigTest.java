package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.ArtemisTls;
import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.ArtemisTransaction;
import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.ClientKind;
import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.KeyCarrier;
import java.time.Duration;
import java.util.Map;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ArtemisConfigTest {

    @Test
    void anEmptyFileIsAllDefaults() {
        ArtemisConfig config = TestConfigs.defaults();

        assertThat(config.client()).isEqualTo(ClientKind.CORE);
        assertThat(config.brokerAddress()).isEqualTo("tcp://localhost:61616");
        assertThat(config.routing()).isEqualTo(RoutingType.MULTICAST);
        assertThat(config.durable()).isTrue();
        assertThat(config.autoAck()).isFalse();
        assertThat(config.ackBatchSize()).isEqualTo(ActiveMQClient.DEFAULT_ACK_BATCH_SIZE);
        assertThat(config.confirmationWindowSize()).isEqualTo(1 << 20);
        assertThat(config.blockOnDurableSend()).isFalse();
        assertThat(config.producerWindowSize()).isEqualTo(ActiveMQClient.DEFAULT_PRODUCER_WINDOW_SIZE);
        assertThat(config.consumerWindowSize()).isEqualTo(ActiveMQClient.DEFAULT_CONSUMER_WINDOW_SIZE);
        assertThat(config.minLargeMessageSize()).isEqualTo(ActiveMQClient.DEFAULT_MIN_LARGE_MESSAGE_SIZE);
        assertThat(config.keyCarrier()).isEqualTo(KeyCarrier.PROPERTY);
        assertThat(config.sharedConnection()).isFalse();
        assertThat(config.user()).isNull();
        assertThat(config.password()).isNull();
        assertThat(config.tls()).isNull();
        assertThat(TestConfigs.problemsOf(config)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ackBatchSize | -1 | must be at least 0, got -1",
                "confirmationWindowSize | 0 | must be at least 1, or -1 for none, got 0",
                "producerWindowSize | -2 | must be at least 1, or -1 for none, got -2",
                "consumerWindowSize | 0 | must be at least 1, or -1 for none, got 0",
                "minLargeMessageSize | 0 | must be at least 1, got 0",
            })
    void aNumberOutOfRangeIsAProblem(String key, int value, String rule) {
        assertThat(TestConfigs.problemsOf(TestConfigs.with(key, value))).containsExactly(key + ": " + rule);
    }

    @ParameterizedTest
    @CsvSource({"confirmationWindowSize", "producerWindowSize", "consumerWindowSize", "minLargeMessageSize"})
    void whatAmqpDoesNotHaveIsAProblem(String key) {
        assertThat(TestConfigs.problemsOf(TestConfigs.with(Map.of("client", ClientKind.AMQP, key, 5))))
                .containsExactly(key + ": must be absent with client: AMQP, which has no equivalent, got 5");
        assertThat(TestConfigs.problemsOf(TestConfigs.with(Map.of("client", ClientKind.JMS, key, 5))))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"JMS", "AMQP"})
    void aConnectionThatIsSharedIsAProblemWithJms(ClientKind client) {
        assertThat(TestConfigs.problemsOf(TestConfigs.with(Map.of("client", client, "sharedConnection", true))))
                .containsExactly("sharedConnection: must be false with client: " + client
                        + ", which stops and starts a connection as a whole, got true");
    }

    @Test
    void aTransactionIsForTheCoreClientWhichDoesNotBlock() {
        ArtemisTransaction transaction = new ArtemisTransaction(1, Duration.ZERO);

        assertThat(TestConfigs.problemsOf(TestConfigs.with(
                        Map.of("transaction", transaction, "client", ClientKind.JMS, "blockOnDurableSend", true))))
                .containsExactly(
                        "transaction.delay: must be at least 1ms, got PT0S",
                        "client: must be CORE with a transaction, got JMS",
                        "blockOnDurableSend: must be false with a transaction: the driver awaits its commit, got true");
    }

    @Test
    void anAddressOfAnotherFormIsAProblem() {
        assertThat(TestConfigs.problemsOf(TestConfigs.with("brokerAddress", "localhost")))
                .containsExactly("brokerAddress: must be tcp://host:port, several with commas in parentheses: the port"
                        + " is missing, got 'localhost'");
    }

    @Test
    void aUserNeedsAPasswordAndAPasswordAUser() {
        assertThat(TestConfigs.problemsOf(TestConfigs.with("user", "me")))
                .containsExactly("user: must be set together with password, got 'me'");
        assertThat(TestConfigs.problemsOf(TestConfigs.with("password", "secret")))
                .containsExactly("user: must be set together with password");
        assertThat(TestConfigs.problemsOf(TestConfigs.with(Map.of("user", "me", "password", "secret"))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1048576, false, true", "-1, false, false", "1048576, true, false", "-1, true, false"})
    void acknowledgementsAreAsynchronousWithAWindowAndWithoutBlocking(int window, boolean block, boolean asynchronous) {
        ArtemisConfig config = TestConfigs.with(Map.of("confirmationWindowSize", window, "blockOnDurableSend", block));

        assertThat(config.acknowledgesAsynchronously()).isEqualTo(asynchronous);
    }

    @Test
    void tlsIsPutIntoTheWordsOfTheClient() {
        assertThat(new ArtemisTls("trust.p12", "secret", null, null, true).transportParameters())
                .containsOnly(
                        Map.entry("sslEnabled", true),
                        Map.entry("verifyHost", true),
                        Map.entry("trustStorePath", "trust.p12"),
                        Map.entry("trustStorePassword", "secret"));
        assertThat(new ArtemisTls(null, null, "mine.p12", "key", false).transportParameters())
                .containsOnly(
                        Map.entry("sslEnabled", true),
                        Map.entry("verifyHost", false),
                        Map.entry("keyStorePath", "mine.p12"),
                        Map.entry("keyStorePassword", "key"));
    }
}
