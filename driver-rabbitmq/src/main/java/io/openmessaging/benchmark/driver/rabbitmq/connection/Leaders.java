package io.openmessaging.benchmark.driver.rabbitmq.connection;

import static io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqCalls.CALLS;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.PrometheusText;
import io.openmessaging.benchmark.driver.PrometheusText.Sample;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Finds the leading node of each queue and stream. AMQP does not report it, and the stream client does not expose it;
 * but a node's metrics list the queues and streams that it leads, some seconds after they were declared. Thread-safe.
 */
final class Leaders {

    private static final String METRICS = "/metrics/detailed?family=queue_coarse_metrics";
    private static final String SERIES = "rabbitmq_detailed_queue_messages";

    /** RabbitMQ collects metrics of its queues every 5 s. */
    private static final Duration LIMIT = Duration.ofSeconds(12);

    private static final Duration PAUSE = Duration.ofMillis(250);

    private final List<String> exporters;
    private final List<String> nodes;
    private final String vhost;

    Leaders(RabbitMqConfig config) {
        this.exporters = config.prometheusAddresses();
        this.nodes = config.brokers().stream().map(broker -> broker.address()).toList();
        this.vhost = config.brokers().get(0).vhost();
    }

    /** Returns whether metrics of each node are available. */
    boolean areKnown() {
        return !exporters.isEmpty() && exporters.size() == nodes.size();
    }

    /**
     * Returns the node that leads each partition of each topic, {@code ""} if unknown; waits some seconds until all are
     * known. Empty if none is known.
     *
     * @param partitionOf maps a queue to its partition, as {@code <topic>-<partition>}; where several queues have the
     *     same partition, the first in the order of their names represents all
     */
    List<List<String>> await(List<TopicSpec> topics, UnaryOperator<String> partitionOf, Deadline deadline)
            throws DriverException, InterruptedException {
        Deadline end = Deadline.in(Duration.ofMillis(deadline.leftMs(LIMIT)));
        List<List<String>> known = leadersOf(topics, partitionOf, ask(end));
        while (known.stream().anyMatch(topic -> topic.contains("")) && !end.hasPassed()) {
            end.pause(PAUSE);
            known = leadersOf(topics, partitionOf, ask(end));
        }
        return known.stream().flatMap(List::stream).allMatch(String::isEmpty) ? List.of() : known;
    }

    private static List<List<String>> leadersOf(
            List<TopicSpec> topics, UnaryOperator<String> partitionOf, SortedMap<String, String> nodeByQueue) {
        Map<String, String> nodeByPartition = new HashMap<>();
        nodeByQueue.forEach((queue, node) -> nodeByPartition.putIfAbsent(partitionOf.apply(queue), node));
        return topics.stream()
                .map(topic -> IntStream.range(0, topic.partitions())
                        .mapToObj(partition -> nodeByPartition.getOrDefault(topic.name() + "-" + partition, ""))
                        .toList())
                .toList();
    }

    private SortedMap<String, String> ask(Deadline deadline) throws DriverException, InterruptedException {
        SortedMap<String, String> nodeByQueue = new TreeMap<>();
        for (int i = 0; i < exporters.size(); i++) {
            String exporter = exporters.get(i);
            String text = CALLS.ask(
                    "read the metrics of RabbitMQ at " + exporter, deadline, () -> text(exporter, deadline.leftMs()));
            try {
                for (Sample sample : PrometheusText.parse(text, SERIES::equals)) {
                    if (vhost.equals(sample.labels().get("vhost"))) {
                        nodeByQueue.put(sample.labels().getOrDefault("queue", ""), nodes.get(i));
                    }
                }
            } catch (IOException e) {
                throw CALLS.refused("read the metrics of RabbitMQ at " + exporter, e);
            }
        }
        return nodeByQueue;
    }

    private static String text(String exporter, int limitMs) throws IOException {
        URLConnection connection =
                URI.create("http://" + exporter + METRICS).toURL().openConnection();
        connection.setConnectTimeout(limitMs);
        connection.setReadTimeout(limitMs);
        try (InputStream body = connection.getInputStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
