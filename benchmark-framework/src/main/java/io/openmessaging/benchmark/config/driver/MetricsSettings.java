package io.openmessaging.benchmark.config.driver;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * {@code metrics} in a driver file: where the brokers tell what they use.
 *
 * @param prometheus addresses of exporters, such as {@code http://kafka-1:9404/metrics}; none by default
 * @param every how often they are asked; 1 s by default
 */
public record MetricsSettings(
        @Default("[]") List<String> prometheus,
        @Default("1s") @Range(from = "100ms") Duration every) implements Checked {

    /** The addresses of the exporters. */
    public List<URI> targets() {
        return prometheus.stream().map(URI::create).toList();
    }

    @Override
    public void check(Problems problems) {
        for (String target : prometheus) {
            problems.require(
                    isHttp(target), "prometheus", "must be addresses such as http://kafka-1:9404/metrics", target);
        }
    }

    private static boolean isHttp(String target) {
        try {
            URI uri = URI.create(target);
            return uri.getHost() != null
                    && ("http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme()));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
