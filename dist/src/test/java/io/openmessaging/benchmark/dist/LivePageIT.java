package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.cli.CommandInProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The live page of a whole plan, followed from its start to its end as a browser does. */
class LivePageIT extends WithBenchmark {

    private static final String PLAN = """
            name: seen
            systems: {memory: driver.yaml}
            experiments:
              - name: rates
                workload: load.yaml
                cases: [{name: slow, producerRate: 500}, {name: fast, producerRate: 1500}]
            """;

    private static String printedAddress(CommandInProcess command) {
        Matcher address = Pattern.compile("live page: (\\S+)").matcher(command.out());
        return address.find() ? address.group(1) : "";
    }

    private static HttpResponse<Stream<String>> open(URI address) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofLines());
    }

    /** The news until the stream ends. */
    private static List<JsonNode> follow(URI page) throws Exception {
        List<JsonNode> news = new ArrayList<>();
        try (Stream<String> lines = open(page.resolve("events")).body()) {
            lines.filter(line -> line.startsWith("data: "))
                    .forEach(line -> news.add(JsonMapper.shared().readTree(line.substring("data: ".length()))));
        }
        return news;
    }

    @Test
    void aPlanIsSeenFromItsBeginToItsVerdicts() throws Exception {
        benchmark.file(
                "driver.yaml",
                "name: memory\ndriverClass: io.openmessaging.benchmark.driver.inmemory.InMemoryBenchmarkDriver\n");
        benchmark.file(
                "load.yaml",
                ONE_OF_EACH + "producerRate: 500\nwarmupDuration: 0s\ntestDuration: 2s\nsamplePeriod: 1s\n");
        String plan = benchmark.file("plan.yaml", PLAN).toString();
        CommandInProcess command = new CommandInProcess(folder, "--ui", "--plan", plan);
        Waiting.until("the address is printed", () -> !printedAddress(command).isEmpty());
        URI page = URI.create(printedAddress(command));
        HttpResponse<Stream<String>> html = open(page);
        assertThat(html.headers().firstValue("Content-Security-Policy")).isPresent();
        assertThat(html.body()).anyMatch(line -> line.contains("<title>Benchmark</title>"));

        List<JsonNode> news = follow(page);

        Benchmark.Outcome outcome = Benchmark.await(command);
        assertThat(outcome.exitCode()).as(outcome.all()).isIn(0, 1);
        assertThat(news.get(0).path("since").asLong()).isZero();
        for (int i = 1; i < news.size(); i++) {
            assertThat(news.get(i).path("since")).isEqualTo(news.get(i - 1).path("version"));
        }
        JsonNode last = news.get(news.size() - 1);
        assertThat(last.at("/progress/over").asBoolean()).as(last.toString()).isTrue();
        assertThat(last.at("/progress/plan").asString()).isEqualTo("seen");
        assertThat(verdicts(news))
                .containsOnlyKeys("rates/memory/slow, repetition 1", "rates/memory/fast, repetition 1")
                .values()
                .allMatch(List.of("OK", "INVALID")::contains);
        assertThat(news)
                .extracting(each -> each.at("/run/now/phase").asString())
                .contains("measure");
        assertThat(news).anyMatch(each -> each.at("/run/ticks/from").asInt() > 1);
        JsonNode period = news.stream()
                .map(each -> each.at("/run/periods/points/0"))
                .filter(JsonNode::isObject)
                .findFirst()
                .orElseThrow();
        assertThat(period.at("/latencies/endToEnd/count").asLong()).isPositive();
        assertThat(last.at("/run/uses").toString()).contains("\"harness\"", "\"host\"");
    }

    private static Map<String, String> verdicts(List<JsonNode> news) {
        Map<String, String> outcomes = new LinkedHashMap<>();
        news.forEach(each -> each.path("rows")
                .forEach(row -> outcomes.put(
                        row.path("title").asString(), row.path("outcome").asString())));
        return outcomes;
    }
}
