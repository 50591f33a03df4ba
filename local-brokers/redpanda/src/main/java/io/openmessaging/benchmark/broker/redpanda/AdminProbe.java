package io.openmessaging.benchmark.broker.redpanda;

import io.openmessaging.benchmark.broker.launch.HttpProbe;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Queries the Admin API of nodes for their readiness and version. There is no other source: Docker opens a published
 * port before the node listens behind it, and Kafka's protocol does not report Redpanda's version.
 *
 * @param addresses the addresses of the nodes' Admin API
 */
record AdminProbe(List<String> addresses) {

    private static final Pattern READY = Pattern.compile("\"status\"\\s*:\\s*\"ready\"");
    private static final Pattern ALIVE = Pattern.compile("\"is_alive\"\\s*:\\s*true");
    private static final Pattern VERSION = Pattern.compile("\"version\"\\s*:\\s*\"v?([^ \"]+)");

    private static final String BROKERS = "/v1/brokers";

    /** Returns whether each node is ready and the first one sees all of them. */
    boolean allServe() {
        return addresses.stream()
                        .allMatch(address ->
                                READY.matcher(text(address, "/v1/status/ready")).find())
                && ALIVE.matcher(text(addresses.get(0), BROKERS)).results().count() == addresses.size();
    }

    /** Returns the version of the first node; empty if it does not report one. */
    Optional<String> version() {
        Matcher version = VERSION.matcher(text(addresses.get(0), BROKERS));
        return version.find() ? Optional.of(version.group(1)) : Optional.empty();
    }

    private static String text(String address, String path) {
        return HttpProbe.ask(address, path, "", null).text();
    }
}
