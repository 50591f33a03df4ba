package io.openmessaging.benchmark.config.driver;

import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.time.Duration;
import java.util.List;

/**
 * The key {@code metrics} of a driver file: where the brokers publish their resource use.
 *
 * @param prometheus addresses of exporters, such as {@code http://kafka-1:9404/metrics}; none by default
 * @param every interval between requests; 1 s by default
 */
public record MetricsSettings(
        @Default("[]") List<String> prometheus,
        @Default("1s") @Range(from = "100ms") Duration every) implements Checked {

    private static final Address.Form EXPORTER = new Address.Form(
            "addresses such as http://kafka-1:9404/metrics",
            List.of("http", "https"),
            Address.Port.OPTIONAL,
            false,
            true);

    public List<Address> targets() {
        return prometheus.stream()
                .map(target -> Address.parse(target, EXPORTER))
                .toList();
    }

    @Override
    public void check(Problems problems) {
        prometheus.forEach(target -> problems.address("prometheus", target, EXPORTER));
    }
}
