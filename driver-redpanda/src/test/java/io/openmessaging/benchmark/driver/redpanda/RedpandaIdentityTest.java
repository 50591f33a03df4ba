package io.openmessaging.benchmark.driver.redpanda;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.redpanda.AdminApi.AdminAnswer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RedpandaIdentityTest {

    private static final BrokerDescription COMPATIBLE = new BrokerDescription(
            "Kafka-compatible broker", "unknown", List.of("a:1", "b:2"), Map.of("cluster id", "redpanda.x"));

    private static AdminAnswer answer(Map<String, String> settings, AdminAnswer.BrokerEntry... brokers) {
        return new AdminAnswer("http://a:9644", List.of(brokers), settings, List.of());
    }

    private static AdminAnswer.BrokerEntry broker(int id, String version) {
        return new AdminAnswer.BrokerEntry(id, 2, Optional.ofNullable(version.isEmpty() ? null : version));
    }

    @Test
    void redpandaIsCalledRedpanda() {
        RedpandaIdentity identity = RedpandaIdentity.of(
                COMPATIBLE,
                Set.of(0, 1),
                answer(Map.of("uptime s", "7"), broker(0, "v24.3.8 - abc"), broker(1, "v24.3.8 - abc")));
        assertThat(identity.doubt()).isEmpty();
        assertThat(identity.description())
                .isEqualTo(new BrokerDescription(
                        "Redpanda",
                        "24.3.8",
                        List.of("a:1", "b:2"),
                        Map.of("cluster id", "redpanda.x", "uptime s", "7", "cores", "4")));
    }

    @Test
    void brokersOfDifferentVersionsAreAllNamed() {
        AdminAnswer answer = answer(Map.of(), broker(0, "v24.3.8 - abc"), broker(1, "v25.1.1 - def"));
        assertThat(RedpandaIdentity.of(COMPATIBLE, Set.of(0, 1), answer)
                        .description()
                        .version())
                .isEqualTo("24.3.8, 25.1.1");
    }

    @Test
    void theVersionMayComeFromTheMetricsOrFromNowhere() {
        AdminAnswer fromMetrics = answer(Map.of("redpanda version", "v22.1.3"), broker(0, ""));
        assertThat(RedpandaIdentity.of(COMPATIBLE, Set.of(0), fromMetrics)
                        .description()
                        .version())
                .isEqualTo("22.1.3");
        assertThat(RedpandaIdentity.of(COMPATIBLE, Set.of(0), answer(Map.of(), broker(0, "")))
                        .description()
                        .version())
                .isEqualTo("unknown");
    }

    @Test
    void apacheKafkaStaysApacheKafkaWhoeverElseIsThere() {
        BrokerDescription kafka = new BrokerDescription("Apache Kafka", "4.4", List.of("a:1"), Map.of());
        RedpandaIdentity identity = RedpandaIdentity.of(kafka, Set.of(1), answer(Map.of(), broker(1, "v24.3.8")));
        assertThat(identity.description()).isEqualTo(kafka);
        assertThat(identity.doubt()).hasValue("a:1 is Apache Kafka 4.4, not Redpanda");
    }

    @Test
    void withoutAnAdminApiNobodyKnows() {
        AdminAnswer none = new AdminAnswer("", List.of(), Map.of(), List.of("http://a:9644: Connection refused"));
        RedpandaIdentity identity = RedpandaIdentity.of(COMPATIBLE, Set.of(0, 1), none);
        assertThat(identity.description().product()).isEqualTo("unknown, Kafka protocol");
        assertThat(identity.description().version()).isEqualTo("unknown");
        assertThat(identity.doubt())
                .hasValue("a:1,b:2 speaks Kafka's protocol, but no Admin API identifies it as Redpanda:"
                        + " http://a:9644: Connection refused");
    }

    @Test
    void theAdminApiOfAnotherClusterProvesNothing() {
        RedpandaIdentity identity =
                RedpandaIdentity.of(COMPATIBLE, Set.of(0, 5), answer(Map.of(), broker(0, "v24.3.8")));
        assertThat(identity.description().product()).isEqualTo("unknown, Kafka protocol");
        assertThat(identity.doubt())
                .hasValue("a:1,b:2 has the nodes [0, 5], but the Admin API at http://a:9644"
                        + " belongs to a Redpanda cluster with the nodes [0]");
    }
}
