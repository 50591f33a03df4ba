package io.openmessaging.benchmark.driver.redpanda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedpandaConfigTest {

    private final RedpandaBenchmarkDriver driver = new RedpandaBenchmarkDriver();

    /** Topic properties from Redpanda's documentation; not verified with a Redpanda. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "cleanup.policy",
                "compression.type",
                "flush.bytes",
                "flush.ms",
                "initial.retention.local.target.bytes",
                "initial.retention.local.target.ms",
                "max.message.bytes",
                "message.timestamp.type",
                "redpanda.remote.delete",
                "redpanda.remote.read",
                "redpanda.remote.recovery",
                "redpanda.remote.write",
                "retention.bytes",
                "retention.local.target.bytes",
                "retention.local.target.ms",
                "retention.ms",
                "segment.bytes",
                "segment.ms",
                "write.caching"
            })
    void topicSettingsThatRedpandaKnowsAreTaken(String name) {
        assertThat(Configs.problemsOf(Configs.with(name + "=1", List.of(), null, null, null)))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource
    void oneThingIsWrong(RedpandaConfig config, String problem) {
        assertThat(Configs.problemsOf(config)).containsExactly(problem);
    }

    static Stream<Arguments> oneThingIsWrong() {
        String url = "must be http://host:port or https://host:port: ";
        String begin = url + "it does not start with http:// or https://, got ";
        return Stream.of(
                Arguments.of(Configs.withAdminApi(List.of("http://a:1", "a:9644")), "adminApi: " + begin + "'a:9644'"),
                Arguments.of(
                        Configs.withAdminApi(List.of("ftp://a:1")),
                        "adminApi: " + url + "it starts with ftp://, not with http:// or https://, got 'ftp://a:1'"),
                Arguments.of(
                        Configs.withAdminApi(List.of("http://")),
                        "adminApi: " + url + "the host is missing, got 'http://'"),
                Arguments.of(Configs.with("", List.of(), null, null, "metrics"), "metricsUrl: " + begin + "'metrics'"),
                Arguments.of(
                        Configs.with("", List.of(), "bench", null, null),
                        "adminUser: needs adminPassword, got 'bench'"),
                Arguments.of(
                        Configs.with("retention.sm=1", List.of(), null, null, null),
                        "topicConfig.retention.sm: is not a setting of a Kafka topic, did you mean 'retention.ms'?"));
    }

    @Test
    void aBrokerThatWasStartedForTheRunBringsItsAdminApi() {
        RedpandaConfig config = Configs.with("", List.of("http://a:1"), null, null, "http://a:1/m");
        RedpandaConfig moved = driver.withEndpoint(config, "admin", List.of("127.0.0.1:7", "127.0.0.1:8"));
        assertThat(moved.adminApi()).containsExactly("http://127.0.0.1:7", "http://127.0.0.1:8");
        assertThat(moved.metricsUrl()).isNull();
        assertThat(driver.withEndpoint(config, "other", List.of("127.0.0.1:7"))).isEqualTo(config);
        assertThat(driver.localBrokers()).containsExactly("redpanda");
    }

    @Test
    void whoIsNotReachedIsCalledByItsName() {
        DriverContext context = new DriverContext("run", Duration.ofSeconds(2), new RecordingEvents());
        assertThatThrownBy(() -> driver.connect(Configs.withAdminApi(List.of("http://127.0.0.1:1")), context))
                .isInstanceOf(DriverException.class)
                .hasMessageStartingWith("Could not reach Redpanda at 127.0.0.1:1: ");
    }
}
