package io.openmessaging.benchmark.broker.redpanda;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A program that replaces a container of Redpanda: it answers two requests of the Admin API until it is killed. */
public final class FakeContainer {

    private FakeContainer() {}

    /**
     * Runs the program.
     *
     * @param arguments the port, and the number of nodes that it reports
     */
    public static void main(String[] arguments) throws Exception {
        String alive = "{\"node_id\": 0, \"is_alive\": true, \"version\": \"v24.3.8 - b1dd9f54ab\"},";
        String brokers = "[" + alive.repeat(Integer.parseInt(arguments[1])) + "{\"is_alive\": false}]";
        Map<String, String> answers = Map.of("/v1/status/ready", "{\"status\": \"ready\"}", "/v1/brokers", brokers);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 0);
        answers.forEach((path, answer) -> server.createContext(path, exchange -> {
            try (exchange) {
                byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        }));
        server.start();
    }
}
