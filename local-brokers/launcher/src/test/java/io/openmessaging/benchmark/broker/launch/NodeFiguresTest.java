package io.openmessaging.benchmark.broker.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Jvm;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Location;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Security;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Version;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.StartsProcesses;
import io.openmessaging.benchmark.suite.TestProgram;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the real exporter, which a script that replaces Maven puts into its place. */
@StartsProcesses
class NodeFiguresTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path home;

    private final List<String> progress = new ArrayList<>();

    private RunningBroker start(int nodes, boolean exporter) throws Exception {
        // Nodes that write without a pause would leave little processor time for their monitoring.
        return new TestBroker(TestNode.Behaviour.SERVE_UNTIL_TOLD, Patience.LIMIT)
                .start(new LocalBrokerOptions(
                        Version.CURRENT,
                        nodes,
                        new Jvm(null, exporter),
                        Map.of(),
                        Confinement.NONE,
                        Security.NONE,
                        new Location(home, home.resolve("data")),
                        progress::add));
    }

    private void maven(String script) throws IOException {
        TestProgram.write(home.resolve("mvnw"), script);
    }

    private static Path agent() {
        return Arrays.stream(System.getProperty("java.class.path").split(":"))
                .map(Path::of)
                .filter(path -> path.getFileName().toString().startsWith("jmx_prometheus_javaagent-"))
                .findFirst()
                .orElseThrow();
    }

    private static String get(String address) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + "/metrics"))
                .timeout(Patience.LIMIT)
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void everyNodeTellsHeapAndCollectionsAndNothingOfTheBrokersBeans() throws Exception {
        maven("cp '" + agent() + "' \"$(dirname \"$4\")\"\n");
        try (RunningBroker broker = start(2, true)) {
            assertThat(broker.exporters()).containsOnlyKeys("test-1", "test-2");
            assertThat(broker.exporters().values()).doesNotHaveDuplicates();
            assertThat(broker.endpoints())
                    .containsExactly(Map.entry(
                            "prometheus", List.copyOf(broker.exporters().values())));
            assertThat(broker.problems()).isEmpty();
            for (String address : broker.exporters().values()) {
                assertThat(address).startsWith("127.0.0.1:");
                assertThat(get(address))
                        .contains(
                                "jvm_memory_used_bytes{area=\"heap\"}", "jvm_gc_collection_seconds_count{gc=\"Copy\"}")
                        .doesNotContain("java_lang_");
            }
        }
        assertThat(progress).singleElement().asString().startsWith("fetching JMX exporter ");
    }

    @Test
    void aBrokerWhoseExporterCannotBeFetchedStartsWithout() throws Exception {
        maven("echo '[ERROR] the registry is on fire'; exit 1\n");
        try (RunningBroker broker = start(2, true)) {
            assertThat(broker.nodes()).hasSize(2);
            assertThat(broker.exporters()).isEmpty();
            assertThat(broker.endpoints()).isEmpty();
            assertThat(broker.failure()).isEmpty();
            assertThat(broker.problems())
                    .singleElement()
                    .asString()
                    .startsWith(
                            "heap and garbage collection of the broker are not measured: cannot fetch JMX exporter ")
                    .endsWith(": Maven ended with exit code 1; it says: [ERROR] the registry is on fire");
            assertThat(progress).hasSize(2).endsWith(broker.problems().get(0));
        }
    }

    @Test
    void aBrokerThatDoesNotAskForItHasNone() throws Exception {
        try (RunningBroker broker = start(1, false)) {
            assertThat(broker.exporters()).isEmpty();
            assertThat(broker.problems()).isEmpty();
            assertThat(progress).isEmpty();
        }
    }

    /** The file in the agent's place is not an agent: the node logs that and continues. */
    @Test
    void aNodeOutlivesAnExporterThatDoesNotStart() throws Exception {
        maven("echo 'no jar' > \"$(dirname \"$4\")/agent.jar\"\n");
        try (RunningBroker broker = start(1, true)) {
            Path log = broker.nodes().get(0).log();
            Patience.await("the node's log")
                    .untilAsserted(() -> assertThat(log)
                            .content()
                            .contains("cannot export heap and garbage collection: ", "test node says hello"));
            assertThat(broker.failure()).isEmpty();
        }
    }
}
