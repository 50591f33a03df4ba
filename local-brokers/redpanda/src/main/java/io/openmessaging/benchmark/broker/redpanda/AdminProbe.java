package io.openmessaging.benchmark.broker.redpanda;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks nodes, by way of their Admin API, whether they serve clients and which version they are. */
final class AdminProbe {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final int OK = 200;

    private static final Pattern READY = Pattern.compile("\"status\"\\s*:\\s*\"ready\"");
    private static final Pattern ALIVE = Pattern.compile("\"is_alive\"\\s*:\\s*true");
    private static final Pattern VERSION = Pattern.compile("\"version\"\\s*:\\s*\"v?([^ \"]+)");

    private final List<String> addresses;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    /** For the nodes with these addresses of the Admin API. */
    AdminProbe(List<String> addresses) {
        this.addresses = List.copyOf(addresses);
    }

    /** Whether each node is ready and the first one sees all of them. */
    boolean allServe() {
        for (String address : addresses) {
            if (!READY.matcher(get(address, "/v1/status/ready").orElse("")).find()) {
                return false;
            }
        }
        String brokers = get(addresses.get(0), "/v1/brokers").orElse("");
        return ALIVE.matcher(brokers).results().count() == addresses.size();
    }

    /** The version of the first node; empty if it does not tell. */
    Optional<String> version() {
        Matcher version = VERSION.matcher(get(addresses.get(0), "/v1/brokers").orElse(""));
        return version.find() ? Optional.of(version.group(1)) : Optional.empty();
    }

    private Optional<String> get(String address, String path) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + path))
                    .timeout(TIMEOUT)
                    .build();
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            return response.statusCode() == OK ? Optional.of(response.body()) : Optional.empty();
        } catch (IOException e) {
            // Not yet. The starter sets the limit.
            return Optional.empty();
        } catch (InterruptedException e) {
            // Who waits notices it between two questions.
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
