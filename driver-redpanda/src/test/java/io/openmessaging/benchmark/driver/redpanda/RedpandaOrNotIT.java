package io.openmessaging.benchmark.driver.redpanda;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents.ClientError;
import io.openmessaging.benchmark.suite.Patience;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that a Kafka is never called Redpanda, and that a run against it has the finding. */
class RedpandaOrNotIT {

    @RegisterExtension
    static final LocalKafka KAFKA = new LocalKafka();

    private static void assertItIsKafka(RedpandaConfig config) throws Exception {
        try (DriverSession session = DriverSession.open(new RedpandaBenchmarkDriver(), config, Patience.LIMIT)) {
            List<ClientError> onceConnected = session.events().clientErrors();
            BrokerDescription broker = session.connection().describeBroker();
            assertThat(broker.product()).isEqualTo("Apache Kafka");
            assertThat(broker.version()).startsWith("4.");
            assertThat(broker.settings()).doesNotContainKey("cores");
            assertThat(onceConnected).singleElement().satisfies(error -> {
                assertThat(error.kind()).isEqualTo("not Redpanda");
                assertThat(error.cause())
                        .hasMessage(
                                KAFKA.addresses().get(0) + " is Apache Kafka " + broker.version() + ", not Redpanda");
            });
            assertThat(session.events().clientErrors())
                    .as("findings once the broker has been described as well")
                    .isEqualTo(onceConnected);
        }
    }

    @Test
    void kafkaAlone() throws Exception {
        assertItIsKafka(KAFKA.config(List.of("http://127.0.0.1:1")));
    }

    @Test
    void kafkaWithTheAdminApiOfARedpandaBesideIt() throws Exception {
        try (AdminFixture redpanda = AdminFixture.redpanda()) {
            assertItIsKafka(KAFKA.config(List.of(redpanda.url())));
        }
    }
}
