package io.openmessaging.benchmark.driver.acme;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import java.util.List;

/**
 * The driver's keys in a driver file.
 *
 * @param brokers {@code host:port} of each broker
 */
public record AcmeConfig(@Default("[]") List<String> brokers) implements Checked {

    @Override
    public void check(Problems problems) {
        // With a real client: problems.require(!brokers.isEmpty(), "brokers", "must name at least one", brokers);
        brokers.forEach(address -> problems.address("brokers", address));
    }
}
