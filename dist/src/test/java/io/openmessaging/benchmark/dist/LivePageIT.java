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

    /** An event of the stream. */
    private record Event(String name, JsonNode data) {}

    private static String printedAddress(CommandInProcess command) {
        Matcher address = Pattern.compile("live page: (\\S+)").matcher(command.out());
        return address.find() ? address.group(1) : "";
    }

    private static HttpResponse<Stream<String>> open(URI address) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofLines());
    }

    /** All events until the stream ends. */
    private static List<Event> follow(URI page) throws Exception {
        List<Event> events = new ArrayList<>();
        try (Stream<String> lines = open(page.resolve("events")).body()) {
            String[] name = {""};
            lines.forEach(line -> {
                if (line.startsWith("event: ")) {
                    name[0] = line.substring("event: ".length());
                } else if (line.startsWith("data: ")) {
                    events.add(new Event(name[0], JsonMapper.shared().readTree(line.substring("data: ".length()))));
                }
            });
        }
        return events;
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

        List<Event> events = follow(page);

        Benchmark.Outcome outcome = Benchmark.await(command);
        assertThat(outcome.exitCode()).as(outcome.all()).isIn(0, 1);
        assertThat(events.get(0).name()).isEqualTo("snapshot");
        Event last = events.get(events.size() - 1);
        assertThat(last.data().at("/progress/over").asBoolean())
                .as(last.toString())
                .isTrue();
        assertThat(last.data().at("/progress/plan").asString()).isEqualTo("seen");
        assertThat(verdicts(events))
                .containsOnlyKeys("rates/memory/slow, repetition 1", "rates/memory/fast, repetition 1")
                .values()
                .allMatch(List.of("OK", "INVALID")::contains);
        assertThat(events).extracting(Event::name).contains("run", "phase", "second", "period", "ended", "advance");
        Event period = events.stream()
                .filter(event -> event.name().equals("period"))
                .findFirst()
                .orElseThrow();
        assertThat(period.data().at("/period/latencies/endToEnd/count").asLong())
                .isPositive();
        assertThat(period.data().path("uses").toString()).contains("\"harness\"", "\"host\"");
    }

    private static Map<String, String> verdicts(List<Event> events) {
        Map<String, String> outcomes = new LinkedHashMap<>();
        for (Event event : events) {
            List<JsonNode> rows = new ArrayList<>();
            event.data().path("rows").forEach(rows::add);
            if (event.name().equals("ended")) {
                rows.add(event.data().path("row"));
            }
            rows.forEach(row -> outcomes.put(
                    row.path("title").asString(), row.path("outcome").asString()));
        }
        return outcomes;
    }
}
