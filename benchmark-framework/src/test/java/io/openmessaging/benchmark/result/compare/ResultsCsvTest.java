package io.openmessaging.benchmark.result.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.result.GoldenFile;
import io.openmessaging.benchmark.result.ResultFixture;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.file.ResultFileException;
import io.openmessaging.benchmark.result.file.ResultJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultsCsvTest {

    @TempDir
    private Path folder;

    private Path results;
    private Path table;

    @BeforeEach
    void createFolder() throws IOException {
        results = Files.createDirectory(folder.resolve("results"));
        table = folder.resolve("table.csv");
    }

    private void put(String fileName, String text) throws IOException {
        Files.writeString(results.resolve(fileName), text);
    }

    private void put(String fileName, RunResult result) throws IOException {
        put(fileName, ResultJson.render(result));
    }

    private void putOmbResult(String fileName) throws IOException {
        put(fileName, Files.readString(GoldenFile.path("omb-result.json")));
    }

    private List<List<String>> rows() throws IOException {
        ResultsCsv.write(results, table);
        return Files.readAllLines(table).stream()
                .map(line -> List.of(line.split(",", -1)))
                .toList();
    }

    private List<String> column(String name) throws IOException {
        List<List<String>> rows = rows();
        int index = rows.get(0).indexOf(name);
        assertThat(index).as(name).isNotNegative();
        return rows.stream().skip(1).map(row -> row.get(index)).toList();
    }

    @Test
    void isAsSealed() throws IOException {
        put("a.json", ResultFixture.twoSubscriptions());
        put("b.json", ResultFixture.search());
        put("c.json", ResultFixture.failed());
        put("d.json", ResultFixture.compact());
        putOmbResult("omb.json");

        ResultsCsv.Written written = ResultsCsv.write(results, table);

        assertThat(written).isEqualTo(new ResultsCsv.Written(5, 3, List.of()));
        GoldenFile.assertSame("results.csv", Files.readString(table));
    }

    @Test
    void beginsWithOmbsColumns() throws IOException {
        assertThat(rows().get(0))
                .startsWith(
                        "topics",
                        "partitions",
                        "message-size",
                        "producers-per-topic",
                        "consumers-per-topic",
                        "prod-rate-min",
                        "prod-rate-avg",
                        "prod-rate-std-dev",
                        "prod-rate-max",
                        "con-rate-min",
                        "con-rate-avg",
                        "con-rate-std-dev",
                        "con-rate-max")
                .doesNotHaveDuplicates();
    }

    @Test
    void calculatesRatesExactly() throws IOException {
        putOmbResult("omb.json");
        assertThat(column("prod-rate-min")).containsExactly("49990.50");
        assertThat(column("prod-rate-avg")).containsExactly("50000.25");
        assertThat(column("prod-rate-std-dev")).containsExactly("8.06");
        assertThat(column("prod-rate-max")).containsExactly("50010.25");
    }

    @Test
    void sortsAsOmbAndThenByWorkloadDriverAndTime() throws IOException {
        put("1.json", ResultFixture.search());
        put("2.json", ResultFixture.compact());
        putOmbResult("3.json");
        put("4.json", ResultFixture.failed());
        put(
                "5.json",
                ResultJson.render(ResultFixture.failed()).replace("\"beginTime\": \"2026", "\"beginTime\": \"2025"));
        put(
                "6.json",
                ResultJson.render(ResultFixture.failed()).replace("\"driver\": \"Kafka", "\"driver\": \"Artemis"));

        assertThat(column("message-size")).containsExactly("10", "100", "100", "100", "100", "200");
        assertThat(column("file")).containsExactly("2.json", "6.json", "5.json", "4.json", "3.json", "1.json");
    }

    @Test
    void tellsApartWhatIsNoRepetition() throws IOException {
        String result = ResultJson.render(ResultFixture.search());
        put("a.json", result);
        put("b.json", result.replaceFirst("\"runId\": \"[^\"]*\"", "\"runId\": \"another\""));
        put("c.json", result.replaceFirst("\"clientVersion\": \"[^\"]*\"", "\"clientVersion\": \"another 2\""));
        putOmbResult("x.json");
        putOmbResult("y.json");

        List<String> variants = column("variant");
        List<String> files = column("file");
        assertThat(variants.get(files.indexOf("a.json"))).startsWith("clientVersion ");
        assertThat(variants.get(files.indexOf("b.json"))).isEqualTo(variants.get(files.indexOf("a.json")));
        assertThat(variants.get(files.indexOf("c.json"))).isEqualTo("clientVersion another 2");
        assertThat(variants.get(files.indexOf("x.json"))).isEqualTo("x.json");
        assertThat(variants.get(files.indexOf("y.json"))).isEqualTo("y.json");
    }

    @Test
    void leavesEmptyWhatWasNotMeasuredOrIsNotTold() throws IOException {
        put("failed.json", ResultFixture.failed());
        putOmbResult("omb.json");

        assertThat(column("publish-latency-99pct-ms")).containsExactly("", "4");
        assertThat(column("verdict")).containsExactly("FAILED", "");
        assertThat(column("prod-rate-avg")).containsExactly("", "50000.25");
        assertThat(column("audit-lost")).containsExactly("", "");
        assertThat(column("scheduled-publish-latency-99pct-ms")).containsExactly("", "");
    }

    @Test
    void anOrderThatNobodyCanJudgeIsEmpty() throws IOException {
        put("a.json", ResultJson.render(ResultFixture.search()).replace("\"outOfOrder\": 0", "\"outOfOrder\": null"));
        assertThat(column("audit-out-of-order")).containsExactly("");
    }

    @Test
    void addsUpTheAudit() throws IOException {
        put("a.json", ResultFixture.search());
        assertThat(column("audit-expected")).containsExactly("4907401");
        assertThat(column("audit-lost")).containsExactly("4");
        assertThat(column("findings")).containsExactly("TargetRateMissed MessagesLost MessagesDuplicated");
        assertThat(column("audit-out-of-order")).containsExactly("0");
        // The measurement did not confirm the rate.
        assertThat(column("sustainable-rate")).containsExactly("");
    }

    @Test
    void hasBacklogTimes() throws IOException {
        put("a.json", ResultFixture.compact());
        assertThat(column("backlog-build-s")).containsExactly("10");
        assertThat(column("backlog-drain-s")).containsExactly("10");
    }

    @Test
    void quotesWhatHasCommasAndQuotes() throws IOException {
        put("a \"b\".json", ResultFixture.twoSubscriptions());
        ResultsCsv.write(results, table);
        assertThat(Files.readAllLines(table).get(1))
                .contains(
                        ",\"two subscriptions, 1 kB\",Kafka,,OK,2026-11-21T10:15:30.123Z,\"a \"\"b\"\".json\",1000,,");
    }

    @Test
    void skipsWhatIsNoResultAndSaysWhy() throws IOException {
        String whole = ResultJson.render(ResultFixture.failed());
        put("array.json", "[1, 2]");
        put("empty.json", "");
        put("list.json", whole.replaceFirst("\"publishRate\": \\[]", "\"publishRate\": [\"fast\"]"));
        put("number.json", whole.replaceFirst("\"topics\": 1", "\"topics\": \"1\""));
        put("other.json", "{\"topics\": 1}");
        put("truncated.json", whole.substring(0, whole.length() / 2));
        put("notes.txt", "no JSON at all");
        Files.write(results.resolve("bytes.json"), "{\"a\": \"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1));
        Files.createDirectory(results.resolve("folder.json"));
        put("good.json", whole);

        ResultsCsv.Written written = ResultsCsv.write(results, table);

        assertThat(written.rows()).isEqualTo(1);
        assertThat(written.skipped().stream().map(reason -> reason.replaceAll("\\d+", "#")))
                .containsExactly(
                        "array.json: is not a result: publishRate is missing or is not a list of numbers",
                        "bytes.json: is not valid JSON, or is incomplete: line #, column #",
                        "empty.json: is not a result: publishRate is missing or is not a list of numbers",
                        "list.json: is not a result: publishRate is missing or is not a list of numbers",
                        "number.json: is not a result: topics is not a whole number",
                        "other.json: is not a result: publishRate is missing or is not a list of numbers",
                        "truncated.json: is not valid JSON, or is incomplete: line #, column #");
    }

    @Test
    void readsResultsThatLackFieldsOrHaveOddNumbers() throws IOException {
        put("old.json", "{\"publishRate\": [1.5], \"consumeRate\": [], \"aggregatedPublishLatencyAvg\": 1e400}");
        assertThat(column("topics")).containsExactly("");
        assertThat(column("prod-rate-avg")).containsExactly("1.50");
        assertThat(column("con-rate-avg")).containsExactly("");
        assertThat(column("publish-latency-avg-ms")).containsExactly("");
    }

    @Test
    void hasOneCellForEachColumnInEveryRow() throws IOException {
        put("a.json", ResultFixture.search());
        putOmbResult("omb.json");
        List<List<String>> rows = rows();
        assertThat(rows).hasSize(3).allSatisfy(row -> assertThat(row).hasSameSizeAs(rows.get(0)));
    }

    @Test
    void saysWhyAFolderCannotBeReadOrATableNotWritten() throws IOException {
        Path missing = folder.resolve("missing");
        assertThatThrownBy(() -> ResultsCsv.write(missing, table))
                .isInstanceOf(ResultFileException.class)
                .hasMessage(missing + ": cannot read results: there is no " + missing);
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThatThrownBy(() -> ResultsCsv.write(file, table))
                .hasMessage(file + ": cannot read results: " + file + " is not a folder");
        assertThatThrownBy(() -> ResultsCsv.write(results, missing.resolve("table.csv")))
                .isInstanceOf(ResultFileException.class)
                .hasMessageContaining("the table could not be written");
        assertThat(Arrays.asList(folder.toFile().list())).doesNotContain("table.csv");
    }
}
