package io.openmessaging.benchmark.driver.nats;

import static io.openmessaging.benchmark.driver.nats.NatsCalls.CALLS;

import io.nats.client.support.JsonParseException;
import io.nats.client.support.JsonParser;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.NodeFigures;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;

/**
 * The monitoring endpoint of one server.
 *
 * @param address {@code host:port} at which the server serves clients
 * @param url URL of the endpoint, without a path
 * @param tls trust of encrypted connections; null for that of the JDK
 * @param timeout limit for each request
 */
record NatsMonitor(String address, String url, @Nullable NatsTls tls, Duration timeout) implements NodeFigures {

    /** Names of figures are those of the exporter of NATS for Prometheus. */
    static final String SERVER = "gnatsd_varz_";

    /** The number of messages in the streams of the server. */
    static final String MESSAGES = "jetstream_server_total_messages";

    /**
     * What a server does with the files of its streams.
     *
     * @param syncInterval time between two syncs; zero for a sync before each answer
     */
    record FilePolicy(Duration syncInterval) {}

    /**
     * Returns what the server does with its files; null if it has no streams.
     *
     * @throws IOException if the endpoint does not answer, or says something else
     */
    @Nullable
    FilePolicy filePolicy() throws IOException {
        JsonValue jetStream = JsonValueUtils.readValue(ask("/varz"), "jetstream");
        JsonValue config = jetStream == null ? null : JsonValueUtils.readValue(jetStream, "config");
        if (config == null) {
            return null;
        }
        return new FilePolicy(
                JsonValueUtils.readBoolean(config, "sync_always", false)
                        ? Duration.ZERO
                        : Duration.ofNanos(JsonValueUtils.readLong(config, "sync_interval", 0)));
    }

    @Override
    public Map<String, Double> read() throws DriverException {
        try {
            Map<String, Double> figures = new HashMap<>();
            Map<String, JsonValue> server = ask("/varz").map;
            if (server != null) {
                server.forEach((name, value) -> {
                    if (value.number != null) {
                        figures.put(SERVER + name, value.number.doubleValue());
                    }
                });
            }
            Long messages = JsonValueUtils.readLong(ask("/jsz"), "messages");
            if (messages != null) {
                figures.put(MESSAGES, messages.doubleValue());
            }
            return figures;
        } catch (IOException e) {
            throw CALLS.refused("read the resource usage of NATS at " + url, e);
        }
    }

    private JsonValue ask(String path) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(url + path).toURL().openConnection();
        int timeoutMs = Deadline.millis(timeout);
        connection.setConnectTimeout(timeoutMs);
        connection.setReadTimeout(timeoutMs);
        // A kept-alive connection would still be open when the server shuts down.
        connection.setRequestProperty("Connection", "close");
        try {
            if (tls != null && connection instanceof HttpsURLConnection encrypted) {
                encrypted.setSSLSocketFactory(tls.context().getSocketFactory());
            }
            try (InputStream answer = connection.getInputStream()) {
                return JsonParser.parse(answer.readAllBytes());
            }
        } catch (JsonParseException e) {
            throw new IOException(url + path + " is not the monitoring endpoint of a NATS server", e);
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /** Nothing stays open between two requests. */
    @Override
    public void close() {}
}
