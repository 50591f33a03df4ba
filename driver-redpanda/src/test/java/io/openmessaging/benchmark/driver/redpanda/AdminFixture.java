package io.openmessaging.benchmark.driver.redpanda;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** An HTTP server with fixed answers, such as those in the form that Redpanda's documentation shows. */
final class AdminFixture implements AutoCloseable {

    static final String BROKERS = """
            [
              {
                "node_id": 1,
                "num_cores": 2,
                "internal_rpc_address": "127.0.0.1",
                "internal_rpc_port": 33145,
                "membership_status": "active",
                "is_alive": true,
                "disk_space": [{"path": "/var/lib/redpanda/data", "free": 219660664832, "total": 375609368576}],
                "version": "v24.3.8 - b1dd9f54ab1fcd31110608ff214d0937bf30fdb1",
                "maintenance_status": {"draining": false, "finished": false, "errors": false, "partitions": 0,
                  "eligible": 0, "transferring": 0, "failed": 0}
              }
            ]
            """;

    static final String FEATURES = """
            {
              "cluster_version": 14,
              "original_cluster_version": 14,
              "node_earliest_version": 13,
              "node_latest_version": 14,
              "features": [{"name": "central_config", "state": "active", "was_active": true}]
            }
            """;

    static final String CLUSTER_CONFIG = """
            {
              "auto_create_topics_enabled": true,
              "log_segment_size": 134217728,
              "write_caching_default": "false"
            }
            """;

    static final String METRICS = """
            # HELP redpanda_application_build Redpanda build information
            # TYPE redpanda_application_build gauge
            redpanda_application_build{redpanda_revision="b1dd9f54ab",redpanda_version="v24.3.8"} 1.000000
            # HELP redpanda_application_uptime_seconds_total Redpanda uptime in seconds
            # TYPE redpanda_application_uptime_seconds_total gauge
            redpanda_application_uptime_seconds_total{} 37.610635
            # TYPE redpanda_cluster_brokers gauge
            redpanda_cluster_brokers{} 1.000000
            redpanda_cluster_partitions{} 16.000000
            redpanda_cluster_unavailable_partitions{} 0.000000
            # TYPE redpanda_io_queue_total_write_ops counter
            redpanda_io_queue_total_write_ops{class="",iogroup="0",mountpoint="none",shard="0"} 30
            """;

    private final HttpServer server;
    private final Map<String, String> bodies = new ConcurrentHashMap<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();

    /** Answers these paths with these bodies, and other paths with status 404. */
    AdminFixture(Map<String, String> bodies) throws IOException {
        this.bodies.putAll(bodies);
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
                String body = this.bodies.get(exchange.getRequestURI().getPath());
                if (body == null) {
                    exchange.sendResponseHeaders(404, -1);
                } else {
                    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, bytes.length);
                    exchange.getResponseBody().write(bytes);
                }
            }
        });
        server.start();
    }

    /** Returns a server that answers like a Redpanda of one node. */
    static AdminFixture redpanda() throws IOException {
        return new AdminFixture(Map.of(
                "/v1/brokers",
                BROKERS,
                "/v1/features",
                FEATURES,
                "/v1/cluster_config",
                CLUSTER_CONFIG,
                "/public_metrics",
                METRICS));
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Returns the login of each request so far; the text {@code null} if there was none. */
    List<String> authorizations() {
        return List.copyOf(authorizations);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
