package io.openmessaging.benchmark.driver.redpanda;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.redpanda.AdminApi.AdminAnswer;
import io.openmessaging.benchmark.suite.Patience;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the client with fixed answers in Redpanda's documented form, without a Redpanda. */
class AdminApiTest {

    private static AdminAnswer ask(RedpandaConfig config) throws InterruptedException {
        return AdminApi.of(config, List.of("127.0.0.1:1"), Patience.LIMIT).ask();
    }

    @Test
    void redpandaTellsItsBrokersVersionsAndFigures() throws Exception {
        try (AdminFixture redpanda = AdminFixture.redpanda()) {
            AdminAnswer answer = ask(Configs.withAdminApi(List.of(redpanda.url() + "/")));
            assertThat(answer.isOfRedpanda()).isTrue();
            assertThat(answer.url()).isEqualTo(redpanda.url());
            assertThat(answer.brokers())
                    .containsExactly(new AdminAnswer.BrokerEntry(
                            1, 2, Optional.of("v24.3.8 - b1dd9f54ab1fcd31110608ff214d0937bf30fdb1")));
            assertThat(answer.settings())
                    .isEqualTo(Map.of(
                            "cluster version", "14",
                            "write_caching_default", "false",
                            "redpanda version", "v24.3.8",
                            "redpanda revision", "b1dd9f54ab",
                            "uptime s", "37.610635",
                            "brokers", "1",
                            "partitions before the run", "16",
                            "unavailable partitions", "0"));
        }
    }

    @Test
    void olderVersionsThatSayLessAreKnownAsWell() throws Exception {
        String brokers = "[{\"node_id\": 0, \"num_cores\": 1, \"membership_status\": \"active\"}]";
        try (AdminFixture redpanda = new AdminFixture(Map.of("/v1/brokers", brokers))) {
            AdminAnswer answer = ask(Configs.withAdminApi(List.of(redpanda.url())));
            assertThat(answer.brokers()).containsExactly(new AdminAnswer.BrokerEntry(0, 1, Optional.empty()));
            assertThat(answer.settings()).isEmpty();
        }
    }

    @Test
    void metricsMayBeElsewhere() throws Exception {
        try (AdminFixture redpanda = new AdminFixture(Map.of("/v1/brokers", AdminFixture.BROKERS));
                AdminFixture metrics = new AdminFixture(Map.of("/m", AdminFixture.METRICS))) {
            RedpandaConfig config = Configs.with("", List.of(redpanda.url()), null, null, metrics.url() + "/m");
            assertThat(ask(config).settings()).containsEntry("uptime s", "37.610635");
        }
    }

    @Test
    void aLoginIsSentWhereThereIsOne() throws Exception {
        try (AdminFixture redpanda = AdminFixture.redpanda()) {
            ask(Configs.with("", List.of(redpanda.url()), "bench", "secret", null));
            assertThat(redpanda.authorizations()).isNotEmpty().containsOnly("Basic YmVuY2g6c2VjcmV0");
        }
        try (AdminFixture redpanda = AdminFixture.redpanda()) {
            ask(Configs.withAdminApi(List.of(redpanda.url())));
            assertThat(redpanda.authorizations()).isNotEmpty().containsOnly("null");
        }
    }

    @Test
    void theFirstNodeThatAnswersIsEnough() throws Exception {
        try (AdminFixture other = new AdminFixture(Map.of());
                AdminFixture redpanda = AdminFixture.redpanda()) {
            AdminAnswer answer = ask(Configs.withAdminApi(List.of("http://127.0.0.1:1", other.url(), redpanda.url())));
            assertThat(answer.url()).isEqualTo(redpanda.url());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{\"id\": 1, \"host\": \"a\"}] | answers /v1/brokers, but not as Redpanda does",
                "{\"error\": \"no such path\"}  | answers /v1/brokers, but not as Redpanda does",
                "[]                             | answers /v1/brokers, but lists no broker",
                "<html>hello</html>             | answers /v1/brokers, but not with JSON",
            })
    void whatAnswersOtherwiseIsNotRedpanda(String body, String reason) throws Exception {
        try (AdminFixture other = new AdminFixture(Map.of("/v1/brokers", body))) {
            AdminAnswer answer = ask(Configs.withAdminApi(List.of(other.url())));
            assertThat(answer.isOfRedpanda()).isFalse();
            assertThat(answer.refusals()).containsExactly(other.url() + ": " + reason);
        }
    }

    @Test
    void anAbsentAdminApiIsToldWithItsReason() throws Exception {
        try (AdminFixture other = new AdminFixture(Map.of())) {
            assertThat(ask(Configs.withAdminApi(List.of(other.url()))).refusals())
                    .containsExactly(other.url() + ": answers /v1/brokers with status 404");
        }
        assertThat(ask(Configs.withAdminApi(List.of("http://127.0.0.1:1"))).refusals())
                .singleElement()
                .asString()
                .startsWith("http://127.0.0.1:1: ");
    }

    @Test
    void unlessToldWhereItIsItIsLookedForOnTheUsualPort() {
        assertThat(AdminApi.of(Configs.withAdminApi(List.of()), List.of("a:9092", "b:9092", "a:9093", "[::1]:1"))
                        .urls())
                .containsExactly("http://a:9644", "http://b:9644", "http://[::1]:9644");
    }
}
