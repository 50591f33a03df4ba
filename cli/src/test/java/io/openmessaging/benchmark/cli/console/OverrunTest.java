package io.openmessaging.benchmark.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class OverrunTest {

    private static final Duration PLANNED = Duration.ofSeconds(195);

    private static JsonNode search(int tries, double seconds) {
        return JsonMapper.shared().readTree("""
                {"search": {"steps": [%s{}]},
                 "phases": [{"name": "warm-up", "seconds": 6}, {"name": "search", "seconds": %s}]}
                """.formatted("{}, ".repeat(tries - 1), seconds));
    }

    private static Overrun overrun(long tookSeconds, JsonNode... results) {
        return new Overrun(PLANNED, Duration.ofSeconds(tookSeconds), Duration.ofSeconds(40), List.of(results));
    }

    @Test
    void whatTookLongerThanPlannedIsToldWithTheReasons() {
        assertThat(overrun(318, search(9, 200.2), search(3, 49.8)).sentence())
                .contains("took 5m18s, not the planned 3m15s: searching took 4m10s (12 tries), starting brokers 40s,"
                        + " all else 28s");
    }

    @Test
    void withoutASearchTheRunsTookTheTime() {
        assertThat(overrun(318, JsonMapper.shared().createObjectNode()).sentence())
                .contains("took 5m18s, not the planned 3m15s: starting brokers 40s, all else 4m38s");
    }

    @Test
    void aboutAsLongIsNotWorthALine() {
        assertThat(overrun(233, search(9, 100)).sentence()).isEmpty();
        assertThat(overrun(235, search(9, 100)).sentence()).isPresent();
    }
}
