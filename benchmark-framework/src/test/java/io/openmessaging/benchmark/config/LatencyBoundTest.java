package io.openmessaging.benchmark.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.result.file.RunMetrics;
import org.junit.jupiter.api.Test;

class LatencyBoundTest {

    @Test
    void everyLatencyThatCanBeBoundedIsAMetric() {
        assertThat(RunMetrics.names()).containsAll(LatencyBound.keys());
    }
}
