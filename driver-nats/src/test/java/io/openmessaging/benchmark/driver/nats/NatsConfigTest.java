package io.openmessaging.benchmark.driver.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.openmessaging.benchmark.driver.NodeNeeds;
import io.openmessaging.benchmark.driver.nats.NatsConfig.Delivery;
import io.openmessaging.benchmark.driver.nats.NatsConfig.NatsMode;
import io.openmessaging.benchmark.driver.nats.NatsConfig.Retention;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NatsConfigTest {

    @Test
    void whatIsAbsentHasADefault() {
        NatsConfig config = Configs.of(Map.of());

        assertThat(Configs.problemsOf(config)).isEmpty();
        assertThat(config.servers()).containsExactly("localhost:4222");
        assertThat(config.mode()).isEqualTo(NatsMode.JETSTREAM);
        assertThat(config.keepsConsumed()).isTrue();
        assertThat(config.window()).isEqualTo(1000);
        assertThat(config.nodeNeeds()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource
    void oneThingIsWrong(Map<String, Object> keys, String problem) {
        assertThat(Configs.problemsOf(Configs.of(keys))).containsExactly(problem);
    }

    static Stream<Arguments> oneThingIsWrong() {
        return Stream.of(
                Arguments.of(
                        Map.of("natsHostUrl", "a:1, b"),
                        "natsHostUrl: must be host:port: the port is missing, got 'b'"),
                Arguments.of(
                        Map.of("monitoring", List.of("localhost:8222")),
                        "monitoring: must be http://host:port or https://host:port: it does not start with http:// or"
                                + " https://, got 'localhost:8222'"),
                Arguments.of(
                        Map.of("monitoring", List.of("http://a:1", "http://b:1")),
                        "monitoring: must have an address for each server of natsHostUrl, got [http://a:1, http://b:1]"),
                Arguments.of(
                        Map.of("replicationFactor", 2),
                        "replicationFactor: must be 1, 3 or 5, since a majority of the copies decides, got 2"),
                Arguments.of(Map.of("replicationFactor", 7), "replicationFactor: must be a number from 1 to 5, got 7"),
                Arguments.of(
                        Map.of("retention", Retention.WORK_QUEUE, "acknowledge", false),
                        "acknowledge: must be true with retention: WORK_QUEUE, since only an acknowledgement removes a"
                                + " message, got false"),
                Arguments.of(
                        Map.of("delivery", Delivery.PUSH, "acknowledge", false),
                        "acknowledge: must be true with delivery: PUSH, since only acknowledgements tell the server that"
                                + " a consumer is slow, got false"),
                Arguments.of(
                        Map.of("mode", NatsMode.CORE, "deduplicate", true),
                        "deduplicate: needs mode: JETSTREAM, since subjects keep nothing to compare with, got true"),
                Arguments.of(Map.of("window", 0), "window: must be a number from 1 to 1000000, got 0"),
                Arguments.of(Map.of("ackWait", Duration.ofMillis(10)), "ackWait: must be from 1s to 24h, got '10ms'"),
                Arguments.of(Map.of("user", "u"), "user: needs a password, and a password needs a user, got 'u'"),
                Arguments.of(
                        Map.of("token", "t", "nkeySeed", "SU"),
                        "user: must be the only one of user, token, nkeySeed and credentials"),
                Arguments.of(
                        Map.of("credentials", "/no/such/file"),
                        "credentials: must be a file that can be read, got '/no/such/file'"));
    }

    @Test
    void addressesMayHaveTheSchemeOfNats() {
        assertThat(Configs.of(Map.of("natsHostUrl", "nats://a:1, b:2")).servers())
                .containsExactly("a:1", "b:2");
    }

    @Test
    void copiesNeedAsManyServers() {
        assertThat(Configs.of(Map.of("replicationFactor", 3)).nodeNeeds())
                .hasValue(new NodeNeeds(3, "replicationFactor: 3"));
        assertThat(Configs.of(Map.of("replicationFactor", 3, "mode", NatsMode.CORE))
                        .nodeNeeds())
                .isEmpty();
    }

    @Test
    void otherServersHaveOtherMonitoringEndpoints() {
        NatsConfig config = Configs.of(Map.of("monitoring", List.of("https://localhost:8222")))
                .withServers(List.of("a:1", "b:2"));
        assertThat(config.monitoring()).isEmpty();

        assertThat(config.withMonitoring("http", List.of("a:3", "b:4")).monitors(Duration.ofSeconds(1)))
                .extracting(NatsMonitor::address, NatsMonitor::url)
                .containsExactly(tuple("a:1", "http://a:3"), tuple("b:2", "http://b:4"));
    }
}
