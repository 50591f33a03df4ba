package io.openmessaging.benchmark.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.limits.ControlGroupCounters;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ControlGroupProbeTest {

    private final AtomicReference<ControlGroupCounters> counters = new AtomicReference<>(ControlGroupCounters.NONE);
    private final AtomicLong nowNs = new AtomicLong();
    private final SamplingMonitor monitor = SamplingMonitor.stepwise(
            List.of(new ControlGroupProbe("kafka-1", Role.BROKER, counters::get)), 4, nowNs::get);

    private ResourceUse afterTwoSeconds(ControlGroupCounters before, ControlGroupCounters after) {
        counters.set(before);
        monitor.read();
        nowNs.addAndGet(2_000_000_000L);
        counters.set(after);
        return monitor.sample().uses().get(0);
    }

    @Test
    void throttlingIsThePartOfTheSlicesInWhichItHappened() {
        ResourceUse use = afterTwoSeconds(
                new ControlGroupCounters(100L, null, null, null, null),
                new ControlGroupCounters(115L, null, null, null, null));
        assertThat(use.figure(Figure.CPU_THROTTLED_PERCENT).orElseThrow().mean())
                .as("15 of the 20 slices of 100 ms")
                .isEqualTo(75);
        assertThat(use.figures()).hasSize(1);
        assertThat(use.name()).isEqualTo("kafka-1");
        monitor.close();
    }

    @Test
    void memoryIsALevelAndItsLimitIsCounted() {
        ResourceUse use = afterTwoSeconds(
                new ControlGroupCounters(null, 1000L, 400L, 10L, 0L),
                new ControlGroupCounters(null, 1200L, 500L, 14L, 1L));
        assertThat(use.figure(Figure.LIMITED_MEMORY_BYTES).orElseThrow().max()).isEqualTo(1200);
        assertThat(use.figure(Figure.HELD_MEMORY_BYTES).orElseThrow().max()).isEqualTo(500);
        assertThat(use.figure(Figure.MEMORY_LIMIT_HITS_PER_SEC).orElseThrow().mean())
                .isEqualTo(2);
        assertThat(use.figure(Figure.OUT_OF_MEMORY_KILLS).orElseThrow().max()).isEqualTo(1);
        monitor.close();
    }
}
