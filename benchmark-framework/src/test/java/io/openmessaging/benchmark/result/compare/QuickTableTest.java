package io.openmessaging.benchmark.result.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.compare.Promises.Promise;
import io.openmessaging.benchmark.result.compare.QuickTable.QuickRow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class QuickTableTest {

    private static QuickRow row(String name, String guarantee) {
        return new QuickRow(
                name,
                List.of(Verdict.OK, Verdict.INVALID),
                new Promise(List.of(guarantee.replaceFirst(" \\(.*", "")), guarantee),
                123_460.0,
                Map.of("sustainableRate", 123456.7, "messagesLost", 1.0),
                Map.of(
                        "scheduledPublishLatency50pct", 1.234,
                        "scheduledPublishLatency99pct", 12.0,
                        "scheduledEndToEndLatency50pct", 2.0,
                        "scheduledEndToEndLatency99pct", 3.0,
                        "scheduledEndToEndLatency999pct", 1234.5,
                        "brokerCpuMsPerMessage", 0.005,
                        "messagesLost", 2.0));
    }

    @Test
    void aSystemIsALine() {
        assertThat(QuickTable.lines(List.of(row("Kafka-fast", "one copy"))))
                .startsWith(
                        "system        msg/s  publish p50         p99  end-to-end p50        p99          p99.9  CPU µs/msg  lost      verdict",
                        "Kafka-fast  123,457    (1.23 ms)  (12.00 ms)       (2.00 ms)  (3.00 ms)  (1,234.50 ms)         (5)     3  OK, INVALID")
                .endsWith("Values in brackets are from a run that is INVALID.");
    }

    @Test
    void whatWasNotMeasuredIsADash() {
        assertThat(QuickTable.lines(List.of(QuickRow.empty("Redis", Verdict.FAILED)))
                        .get(1))
                .matches("Redis( +–){8} +FAILED");
    }

    @Test
    void aRateThatTheMeasurementDoesNotConfirmIsNoFigure() {
        QuickRow row = QuickRow.of("Redis", Verdict.INVALID, JsonMapper.shared().readTree("""
                                {"sustainableRate": null, "search": {"foundRate": 293441.3, "confirmed": false}, "rates": {"publish": 239223}}
                                """));
        assertThat(row.highestMsgPerSec())
                .as("latencies are measured at half of it")
                .hasValue(293441.3);
        List<String> lines = QuickTable.lines(List.of(row));
        assertThat(lines.get(1)).startsWith("Redis   not confirmed ");
        assertThat(lines)
                .endsWith(
                        "Redis: not confirmed: the measurement at 293,441 msg/s, which the search found, is INVALID.");
    }

    @Test
    void systemsThatPromiseUnlikeThingsAreNamedFirst() {
        assertThat(QuickTable.lines(List.of(row("A", "one copy"), row("B", "two copies"))))
                .startsWith(
                        "These systems give different guarantees for acknowledged messages; their figures are not comparable:",
                        "  A: one copy",
                        "  B: two copies");
        assertThat(QuickTable.lines(List.of(row("A", "one copy"), row("B", "one copy (at most)")))
                        .get(0))
                .startsWith("system");
    }
}
