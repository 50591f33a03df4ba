package io.openmessaging.benchmark.driver.redpanda;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PublicMetricsTest {

    @Test
    void samplesAreParsedWithAndWithoutLabelsAndTimes() {
        PublicMetrics metrics = PublicMetrics.parse("""
                # TYPE a gauge
                a 1
                b{} 2.5
                c{x="1",y="a } b"} 3e9 1700000000000
                d{le="+Inf"} NaN
                nonsense
                """);
        assertThat(metrics.values())
                .isEqualTo(Map.of("a{}", "1", "b{}", "2.5", "c{x=\"1\",y=\"a } b\"}", "3e9", "d{le=\"+Inf\"}", "NaN"));
    }

    @Test
    void nothingIsMadeUpWhereAFigureIsMissing() {
        assertThat(PublicMetrics.parse("").settings()).isEmpty();
        assertThat(PublicMetrics.parse("redpanda_cluster_brokers{} 3.000000").settings())
                .isEqualTo(Map.of("brokers", "3"));
    }
}
