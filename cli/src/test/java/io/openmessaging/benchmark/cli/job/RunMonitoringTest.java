package io.openmessaging.benchmark.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.cli.FakeLocalBroker;
import io.openmessaging.benchmark.cli.TestInstallation;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import tools.jackson.databind.JsonNode;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class RunMonitoringTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    /** The result of a run with a broker that was started for it. */
    private JsonNode result() throws Exception {
        try (TestInstallation installation = new TestInstallation(folder)) {
            String driver = installation.file("driver.yaml", TestInstallation.BROKERED_DRIVER);
            String workload = installation.file(
                    "workload.yaml",
                    TestInstallation.WORKLOAD
                            .replace("producerRate: unlimited", "producerRate: 100")
                            .replace("messageCount: 200", "testDuration: 1s"),
                    "resourcePeriod: 200ms");
            FakeLocalBroker.lack("the exporter of the fake could not be had");
            TestInstallation.Outcome outcome = installation.run("-d", driver, workload);
            assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isLessThan(2);
            return installation.result();
        }
    }

    private static List<JsonNode> allOf(JsonNode array, String key, String value) {
        return array.valueStream()
                .filter(each -> each.path(key).asString().equals(value))
                .toList();
    }

    @Test
    void whatTheDriverIsToldAndWhatTheBrokerLacksIsInTheResult() throws Exception {
        JsonNode result = result();

        List<JsonNode> brokers = allOf(result.path("resources").path("entries"), "role", "broker");
        assertThat(brokers).hasSize(1);
        assertThat(brokers.get(0).path("name").asString()).isEqualTo(FakeLocalBroker.ADDRESS);
        assertThat(brokers.get(0).path("figures").propertyNames()).containsExactly("brokerMemoryBytes");
        assertThat(brokers.get(0)
                        .path("figures")
                        .path("brokerMemoryBytes")
                        .path("mean")
                        .asDouble())
                .isEqualTo(4_000);
        assertThat(allOf(result.path("findings"), "kind", "MetricsNotRead"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.path("text").asString())
                        .contains("the exporter of the fake could not be had"));
        JsonNode harness = allOf(result.path("resources").path("entries"), "role", "harness")
                .get(0);
        assertThat(harness.path("collectors").size()).isPositive();
    }
}
