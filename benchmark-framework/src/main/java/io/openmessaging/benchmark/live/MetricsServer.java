package io.openmessaging.benchmark.live;

import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.util.logging.Logger;

/**
 * Serves the {@link Metrics} at {@code /metrics}, on daemon threads. Answers come from what the run's thread last
 * reported, so they cost the sending threads nothing and query no worker. Thread-safe.
 */
public final class MetricsServer implements AutoCloseable {

    /**
     * The library prints a stack trace to the console when a client disconnects before the answer, or a run ends in
     * the middle of one. This is a field, since otherwise the logger would be garbage-collected along with its
     * setting.
     */
    private static final Logger LIBRARY_LOG = Logger.getLogger("io.prometheus.metrics.exporter.httpserver");

    static {
        LIBRARY_LOG.setUseParentHandlers(false);
    }

    private final HTTPServer http;

    /**
     * Starts serving.
     *
     * @param port the port; 0 for any free port
     * @throws IOException if the server cannot listen there
     */
    public MetricsServer(LiveRuns runs, InetAddress address, int port) throws IOException {
        PrometheusRegistry registry = new PrometheusRegistry();
        registry.register((MultiCollector) () -> Metrics.of(runs));
        http = HTTPServer.builder()
                .inetAddress(address)
                .port(port)
                .registry(registry)
                .buildAndStart();
    }

    /** The port that the server listens on. */
    public int port() {
        return http.getPort();
    }

    @Override
    public void close() {
        http.close();
    }
}
