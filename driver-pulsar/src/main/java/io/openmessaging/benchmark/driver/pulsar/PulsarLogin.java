package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import org.jspecify.annotations.Nullable;

/**
 * The keys below {@code client.authentication}.
 *
 * @param plugin the client's class that logs in, such as
 *     {@code org.apache.pulsar.client.impl.auth.AuthenticationToken}; absent for no login
 * @param data parameter of that class, such as {@code token:…} or {@code file:///path}
 */
public record PulsarLogin(@Nullable String plugin, @Nullable String data) implements Checked {

    @Override
    public void check(Problems problems) {
        problems.require(plugin != null || data == null, "plugin", "must name the class that the data are for", null);
        if (plugin != null) {
            problems.loadable("plugin", plugin, PulsarLogin.class);
        }
    }

    /** Hides the data, which may be a secret. */
    @Override
    public String toString() {
        return "PulsarLogin[plugin=" + plugin + "]";
    }
}
