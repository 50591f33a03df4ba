package io.openmessaging.benchmark.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.coordinator.Requests;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RunTimeoutsTest {

    @Test
    void whoCreatesMoreHasMoreTimeForIt() {
        RunTimeouts few = RunTimeouts.standard().grownFor(load("topics: 1"));
        // The load has a partition, a producer and two consumers.
        assertThat(few.controlCall()).isEqualTo(Duration.ofMillis(60_400));

        RunTimeouts many = RunTimeouts.standard().grownFor(load("topics: 3000"));
        assertThat(many.controlCall()).isEqualTo(Duration.ofSeconds(60 + 1200));
        assertThat(many.readiness()).isEqualTo(many.controlCall());
        assertThat(many.quiet()).isEqualTo(RunTimeouts.standard().quiet());
        assertThat(many.drain()).isEqualTo(RunTimeouts.standard().drain());
    }

    @Test
    void nobodyWaitsForever() {
        assertThat(RunTimeouts.standard().grownFor(load("topics: 1000000")).controlCall())
                .isEqualTo(Duration.ofMinutes(30));
    }

    private static Workload load(String topics) {
        return Requests.request(topics, "subscriptionsPerTopic: 2").workload().workload();
    }
}
