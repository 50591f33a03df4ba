package io.openmessaging.benchmark.driver.redpanda;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PublicMetricsTest {

    @Test
    void versionAndKeyFiguresAreKept() throws Exception {
        assertThat(PublicMetrics.settings("""
                # TYPE redpanda_application_build gauge
                redpanda_application_build{redpanda_revision="a } b",redpanda_version="v25.1"} 1.000000
                redpanda_application_uptime_seconds_total{} 36.250000 1700000000000
                redpanda_cluster_brokers{} 3.000000
                redpanda_cluster_partitions{of="another"} 7.000000
                redpanda_else{le="+Inf"} NaN
                """))
                .isEqualTo(Map.of(
                        "redpanda version", "v25.1",
                        "redpanda revision", "a } b",
                        "uptime s", "36.250000",
                        "brokers", "3"));
    }

    @Test
    void nothingIsMadeUpWhereAFigureIsMissing() throws Exception {
        assertThat(PublicMetrics.settings("")).isEmpty();
    }
}
