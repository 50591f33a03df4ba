package io.openmessaging.benchmark.driver.pulsar;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** An HTTP server in place of Pulsar's administration that answers questions about persistence policies. */
final class FakeAdministration implements AutoCloseable {

    static final int NO_CONTENT = 204;
    static final int FORBIDDEN = 403;
    static final int NOT_ALLOWED = 405;

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final String ROOT = "/admin/v2/";
    private static final String GLOBAL = "global:";

    private record Answer(int status, String body) {}

    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final HttpServer server;

    /** Answers all questions with status 404 until told otherwise. */
    FakeAdministration() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Sets the policy of a topic of {@code public/default} that is applied; it has none for all clusters. */
    void topic(String topic, int ensembleSize, int writeQuorum, int ackQuorum) {
        put(topicPath(topic), new Answer(OK, policy(ensembleSize, writeQuorum, ackQuorum)));
        put(GLOBAL + topicPath(topic), new Answer(NO_CONTENT, ""));
    }

    /** Sets the policy of a topic for all clusters. */
    void globalTopic(String topic, int ensembleSize, int writeQuorum, int ackQuorum) {
        put(GLOBAL + topicPath(topic), new Answer(OK, policy(ensembleSize, writeQuorum, ackQuorum)));
    }

    void namespace(int ensembleSize, int writeQuorum, int ackQuorum) {
        put("namespaces/public/default/persistence", new Answer(OK, policy(ensembleSize, writeQuorum, ackQuorum)));
    }

    /** Answers questions about a topic without a policy. */
    void topicStatus(String topic, int status) {
        put(topicPath(topic), new Answer(status, ""));
    }

    /** Answers questions about the namespace without a policy. */
    void namespaceStatus(int status) {
        put("namespaces/public/default/persistence", new Answer(status, ""));
    }

    /** Sets the settings that the broker reports, as a JSON object. */
    void brokerSettings(String json) {
        put("brokers/configuration/runtime", new Answer(OK, json));
    }

    private static String topicPath(String topic) {
        return "persistent/public/default/" + topic + "/persistence";
    }

    private static String policy(int ensembleSize, int writeQuorum, int ackQuorum) {
        return """
                {"bookkeeperEnsemble": %d, "bookkeeperWriteQuorum": %d, "bookkeeperAckQuorum": %d,
                 "managedLedgerMaxMarkDeleteRate": 0.0}
                """.formatted(ensembleSize, writeQuorum, ackQuorum);
    }

    private void put(String question, Answer answer) {
        answers.put(question, answer);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String query = String.valueOf(exchange.getRequestURI().getQuery());
            String path = exchange.getRequestURI().getPath().substring(ROOT.length());
            String question = query.contains("isGlobal=true") ? GLOBAL + path : path;
            Answer answer = answers.getOrDefault(question, new Answer(NOT_FOUND, ""));
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
            if (body.length > 0) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
