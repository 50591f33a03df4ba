package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.driver.PrometheusText;
import io.openmessaging.benchmark.driver.PrometheusText.Sample;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Metrics that the nodes of a local broker export. */
final class NodeMetrics {

    private NodeMetrics() {}

    /** Returns the samples of a series for each node, in the order of the nodes. */
    static List<List<Sample>> of(RunningBroker broker, String family, String series) {
        return broker.exporters().values().stream()
                .map(exporter -> samples(exporter, family, series))
                .toList();
    }

    private static List<Sample> samples(String exporter, String family, String series) {
        URI metrics = URI.create("http://" + exporter + "/metrics/detailed?family=" + family);
        try (InputStream text = metrics.toURL().openStream()) {
            return PrometheusText.parse(new String(text.readAllBytes(), StandardCharsets.UTF_8), series::equals);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
