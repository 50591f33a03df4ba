package io.openmessaging.benchmark.driver.redpanda;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PublicMetricsTest {

    @Test
    void samplesAreFoundWithAndWithoutLabelsAndTimes() {
        assertThat(PublicMetrics.settings("""
                # redpanda_cluster_brokers 9
                redpanda_cluster_brokers 1
                redpanda_cluster_partitions{} 2.500000
                redpanda_cluster_unavailable_partitions{} 0.000000 1700000000000
                redpanda_application_uptime_seconds_total{shard="0"} 7
                redpanda_application_build{x="a } b",redpanda_version="v25.1.0",redpanda_revision="c\\"d"} 1
                nonsense
                """))
                .isEqualTo(Map.of(
                        "brokers", "1",
                        "partitions before the run", "2.500000",
                        "unavailable partitions", "0",
                        "redpanda version", "v25.1.0",
                        "redpanda revision", "c\\\"d"));
    }

    @Test
    void nothingIsMadeUpWhereAFigureIsMissing() {
        assertThat(PublicMetrics.settings("")).isEmpty();
        assertThat(PublicMetrics.settings("redpanda_cluster_brokers{} 3.000000"))
                .isEqualTo(Map.of("brokers", "3"));
    }
}
