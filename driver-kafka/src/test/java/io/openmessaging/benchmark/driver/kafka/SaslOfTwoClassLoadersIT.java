package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.broker.LocalBrokerOptions.Security;
import io.openmessaging.benchmark.broker.kafka.KafkaLocalBroker;
import io.openmessaging.benchmark.driver.testkit.PackagedDriver;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.suite.LongSuite;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests two drivers in one process, each with Kafka's library in its own class loader, as in a plan with both drivers.
 */
@LongSuite("starts a broker of its own, and class loaders with Kafka's library")
class SaslOfTwoClassLoadersIT {

    @Test
    void eachLogsInWhoeverWasFirst() throws Exception {
        Setup setup = new Setup(
                1,
                null,
                Map.of(
                        "sasl.enabled.mechanisms",
                        "PLAIN,SCRAM-SHA-512,OAUTHBEARER",
                        "listener.name.sasl_plaintext.oauthbearer.sasl.jaas.config",
                        token("broker")),
                new Security(false, true));
        try (TestBroker<KafkaConfig> broker =
                TestBroker.start(new KafkaBenchmarkDriver(), new KafkaLocalBroker(), setup)) {
            String scram = broker.driverFile().config(KafkaConfig.class).commonConfig();
            String byToken = "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=OAUTHBEARER\nsasl.jaas.config="
                    + token("somebody");
            PackagedDriver<?> first = PackagedDriver.load(KafkaBenchmarkDriver.class);
            PackagedDriver<?> second = PackagedDriver.load(KafkaBenchmarkDriver.class);
            for (PackagedDriver<?> driver : List.of(first, second, first)) {
                for (String login : List.of(scram, byToken)) {
                    driver.carriesMessages(
                            Map.of(
                                    "replicationFactor",
                                    1,
                                    "commonConfig",
                                    "bootstrap.servers=127.0.0.1:1\n" + login,
                                    "consumerConfig",
                                    LocalKafka.CLASSIC_HEARTBEAT + "auto.offset.reset=earliest"),
                            broker.broker().addresses(),
                            Map.of(),
                            100);
                }
            }
        }
    }

    private static String token(String user) {
        return "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required"
                + " unsecuredLoginStringClaim_sub=\"" + user + "\";";
    }
}
