package io.openmessaging.benchmark.result.compare;

import io.openmessaging.benchmark.metric.LatencyFigure;
import io.openmessaging.benchmark.metric.LatencyMetric;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.file.CalibrationFile;
import io.openmessaging.benchmark.result.file.OmbFields;
import io.openmessaging.benchmark.result.file.ResultFileException;
import io.openmessaging.benchmark.result.file.ResultFiles;
import io.openmessaging.benchmark.result.file.ResultJson;
import io.openmessaging.benchmark.result.file.RunMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A table of many results: a row for each result file of a folder, ours and OMB's alike. The columns of OMB's table
 * come first, under OMB's names; OMB rounds rates to one significant digit, while these are exact. A cell is empty if
 * the file lacks the value or the latency was not measured.
 */
public final class ResultsCsv {

    /**
     * The outcome of writing a table.
     *
     * @param rows number of results in the table
     * @param flawed number of those that are INVALID, FAILED or INTERRUPTED, whose figures do not mean what they seem
     *     to
     * @param skipped a sentence for each file that is not a result: {@code file: reason}
     */
    public record Written(int rows, int flawed, List<String> skipped) {}

    /**
     * A row of the table.
     *
     * @param fileName name of the result file
     * @param json content of the result file
     * @param variant what distinguishes it from other results of the same workload and driver; empty if they are
     *     repetitions of each other
     */
    private record Result(String fileName, JsonNode json, String variant) {

        /** Returns whether this is one of our results; OMB's do not contain their configuration. */
        boolean isOurs() {
            return json.has(ResultJson.SCHEMA);
        }

        /** Returns whether the verdict discredits the figures; OMB's results have no verdict. */
        boolean isFlawed() {
            String verdict = at(ResultJson.VERDICT);
            return !verdict.isEmpty()
                    && !verdict.equals(Verdict.OK.name())
                    && !verdict.equals(Verdict.SLO_MISSED.name());
        }

        List<Object> name() {
            return List.of(at(OmbFields.WORKLOAD), at(OmbFields.DRIVER), isOurs());
        }

        String at(String path) {
            return text(json.at("/" + path));
        }
    }

    private static final Pattern NEEDS_QUOTES = Pattern.compile("[\",\\r\\n]|^\\s|\\s$");

    /** Fields that results of OMB's first versions lack. */
    private static final List<String> COUNT_FIELDS = List.of(
            OmbFields.TOPICS,
            OmbFields.PARTITIONS,
            OmbFields.MESSAGE_SIZE,
            OmbFields.PRODUCERS_PER_TOPIC,
            OmbFields.CONSUMERS_PER_TOPIC);

    private static final Comparator<Result> ORDER = comparing(OmbFields.MESSAGE_SIZE, JsonNode::asLong)
            .thenComparing(comparing(OmbFields.TOPICS, JsonNode::asLong))
            .thenComparing(comparing(OmbFields.PARTITIONS, JsonNode::asLong))
            .thenComparing(comparing(OmbFields.WORKLOAD, ResultsCsv::text))
            .thenComparing(comparing(OmbFields.DRIVER, ResultsCsv::text))
            .thenComparing(comparing(ResultJson.BEGIN_TIME, ResultsCsv::text));

    private static final Map<String, Function<Result, String>> COLUMNS = columns();

    private ResultsCsv() {}

    private static <T extends Comparable<T>> Comparator<Result> comparing(String field, Function<JsonNode, T> value) {
        return Comparator.comparing(result -> value.apply(result.json().path(field)));
    }

    /**
     * Writes the table of all results in a folder, without its subfolders.
     *
     * @param target the file to write, overwritten if it exists
     * @throws ResultFileException if the folder cannot be read or the table cannot be written, with a sentence for the
     *     user
     */
    public static Written write(Path folder, Path target) throws ResultFileException {
        List<String> skipped = new ArrayList<>();
        List<Result> results = new ArrayList<>();
        for (Path file : jsonFiles(folder)) {
            String name = String.valueOf(file.getFileName());
            try {
                read(file).ifPresent(json -> results.add(new Result(name, json, "")));
            } catch (ResultFileException e) {
                skipped.add(name + ": " + e.getMessage());
            }
        }
        try {
            Files.writeString(target, table(distinguish(results)));
        } catch (IOException e) {
            throw new ResultFileException(target + ": the table could not be written: " + ResultFiles.reason(e), e);
        }
        int flawed = (int) results.stream().filter(Result::isFlawed).count();
        return new Written(results.size(), flawed, List.copyOf(skipped));
    }

    /**
     * Names the variants and sorts the results. Results of the same name are repetitions if they are of the same
     * variant; those of OMB never are.
     */
    private static List<Result> distinguish(List<Result> results) {
        List<Result> named = new ArrayList<>();
        Map<List<Object>, List<Result>> byName =
                results.stream().collect(Collectors.groupingBy(Result::name, LinkedHashMap::new, Collectors.toList()));
        for (List<Result> own : byName.values()) {
            boolean ours = own.get(0).isOurs();
            List<String> variants =
                    ours ? RunVariants.names(own.stream().map(Result::json).toList()) : List.of();
            for (int i = 0; i < own.size(); i++) {
                Result result = own.get(i);
                String variant = ours ? variants.get(i) : own.size() == 1 ? "" : result.fileName();
                named.add(new Result(result.fileName(), result.json(), variant));
            }
        }
        named.sort(ORDER);
        return named;
    }

    /** Returns the files sorted by name, which orders results that are otherwise equal. */
    private static List<Path> jsonFiles(Path folder) throws ResultFileException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".json") && Files.isRegularFile(file))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new ResultFileException(folder + ": cannot read results: " + ResultFiles.reason(e), e);
        }
    }

    /**
     * Reads a result; empty if the file lies among results and is not meant to be one.
     *
     * @throws ResultFileException if the file is not a result, with the reason
     */
    private static Optional<JsonNode> read(Path file) throws ResultFileException {
        JsonNode json;
        try {
            json = JsonMapper.shared().readTree(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new ResultFileException("cannot be read: " + ResultFiles.reason(e), e);
        } catch (JacksonException e) {
            TokenStreamLocation location = e.getLocation();
            String where =
                    location == null ? "" : ": line " + location.getLineNr() + ", column " + location.getColumnNr();
            throw new ResultFileException("is not valid JSON, or is incomplete" + where, e);
        }
        if (CalibrationFile.isCalibration(json)) {
            return Optional.empty();
        }
        for (String field : COUNT_FIELDS) {
            if (json.has(field) && !json.path(field).isIntegralNumber()) {
                throw new ResultFileException("is not a result: " + field + " is not a whole number", null);
            }
        }
        for (String field : List.of(OmbFields.PUBLISH_RATE, OmbFields.CONSUME_RATE)) {
            JsonNode list = json.path(field);
            if (!list.isArray() || !list.valueStream().allMatch(JsonNode::isNumber)) {
                throw new ResultFileException(
                        "is not a result: " + field + " is missing or is not a list of numbers", null);
            }
        }
        return Optional.of(json);
    }

    private static String table(List<Result> results) {
        Stream<Stream<String>> rows =
                results.stream().map(result -> COLUMNS.values().stream().map(cell -> quoted(cell.apply(result))));
        return Stream.concat(Stream.of(COLUMNS.keySet().stream()), rows)
                .map(cells -> cells.collect(Collectors.joining(",", "", "\n")))
                .collect(Collectors.joining());
    }

    private static String quoted(String cell) {
        return NEEDS_QUOTES.matcher(cell).find() ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
    }

    private static Map<String, Function<Result, String>> columns() {
        Map<String, Function<Result, String>> columns = new LinkedHashMap<>();
        columns.put("topics", field(OmbFields.TOPICS));
        columns.put("partitions", field(OmbFields.PARTITIONS));
        columns.put("message-size", field(OmbFields.MESSAGE_SIZE));
        columns.put("producers-per-topic", field(OmbFields.PRODUCERS_PER_TOPIC));
        columns.put("consumers-per-topic", field(OmbFields.CONSUMERS_PER_TOPIC));
        addRates(columns, "prod-rate", OmbFields.PUBLISH_RATE);
        addRates(columns, "con-rate", OmbFields.CONSUME_RATE);
        columns.put("workload", field(OmbFields.WORKLOAD));
        columns.put("driver", field(OmbFields.DRIVER));
        columns.put("variant", Result::variant);
        columns.put("verdict", field(ResultJson.VERDICT));
        columns.put("begin", field(ResultJson.BEGIN_TIME));
        columns.put("file", Result::fileName);
        columns.put("target-rate", field(ResultJson.TARGET_RATE));
        columns.put("sustainable-rate", field(ResultJson.SUSTAINABLE_RATE));
        columns.put("slo-passed", field("slo/passed"));
        columns.put("send-s", field("sendSeconds"));
        columns.put("receive-s", field("receiveSeconds"));
        columns.put("saturation-producers", field("saturation/producers"));
        columns.put("saturation-consumers", field("saturation/consumers"));
        columns.put("saturation-rate", field("saturation/publishRate"));
        columns.put("knee-rate", field("rateSweep/knee/targetRate"));
        columns.put("highest-sustained-rate", field("rateSweep/highestSustainedRate"));
        LatencyMetric.ALL.forEach(metric -> addLatency(columns, metric));
        columns.put("audit-expected", audit("expected"));
        columns.put("audit-received", audit("received"));
        columns.put("audit-lost", audit("lost"));
        columns.put("audit-undelivered", audit("undelivered"));
        columns.put("audit-duplicated", audit("duplicated"));
        columns.put("audit-out-of-order", audit("outOfOrder"));
        columns.put("backlog-build-s", phase("backlog-build"));
        columns.put("backlog-drain-s", phase("backlog-drain"));
        columns.put("broker-cores", metric("brokerCpuCores", cores -> cores));
        columns.put("broker-resident-mb", metric("brokerMemoryBytes", bytes -> bytes / Quantities.BYTES_PER_MB));
        columns.put("broker-gc-percent", metric("brokerCollectionPercent", percent -> percent));
        columns.put("harness-cores", metric("harnessCpuCores", cores -> cores));
        columns.put("host-idle-percent", metric("hostCpuPercent", busyPercent -> 100 - busyPercent));
        columns.put("findings", ResultsCsv::findings);
        columns.put("broker", field("broker/product"));
        columns.put("broker-version", field("broker/version"));
        columns.put("client-version", field("clientVersion"));
        return columns;
    }

    private static Function<Result, String> field(String path) {
        return result -> result.at(path);
    }

    private static void addRates(Map<String, Function<Result, String>> columns, String name, String field) {
        columns.put(name + "-min", rate(field, DoubleSummaryStatistics::getMin));
        columns.put(name + "-avg", rate(field, DoubleSummaryStatistics::getAverage));
        columns.put(name + "-std-dev", result -> standardDeviation(numbers(result, field)));
        columns.put(name + "-max", rate(field, DoubleSummaryStatistics::getMax));
    }

    private static Function<Result, String> rate(String field, ToDoubleFunction<DoubleSummaryStatistics> figure) {
        return result -> {
            DoubleSummaryStatistics rates =
                    DoubleStream.of(numbers(result, field)).summaryStatistics();
            return rates.getCount() == 0 ? "" : rounded(figure.applyAsDouble(rates));
        };
    }

    /** Computes the standard deviation of the periods themselves, as OMB does, not of a population sampled by them. */
    private static String standardDeviation(double[] rates) {
        double mean = DoubleStream.of(rates).average().orElse(0);
        double squares = DoubleStream.of(rates)
                .map(rate -> (rate - mean) * (rate - mean))
                .sum();
        return rates.length == 0 ? "" : rounded(Math.sqrt(squares / rates.length));
    }

    private static double[] numbers(Result result, String field) {
        return result.json()
                .path(field)
                .valueStream()
                .mapToDouble(JsonNode::asDouble)
                .toArray();
    }

    private static void addLatency(Map<String, Function<Result, String>> columns, LatencyMetric metric) {
        String name = metric.name().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        String unit = metric.unit().name().toLowerCase(Locale.ROOT);
        for (LatencyFigure figure : LatencyFigure.ALL) {
            String suffix = figure.suffix();
            columns.put(
                    name + "-" + suffix.toLowerCase(Locale.ROOT) + "-" + unit,
                    result -> RunMetrics.isNotMeasured(result.json(), metric.name())
                            ? ""
                            : result.at(metric.aggregated(suffix)));
        }
    }

    /** Returns a count of the audit, summed over all subscriptions. */
    private static Function<Result, String> audit(String field) {
        return result -> {
            JsonNode subscriptions = result.json().at("/audit/subscriptions");
            List<JsonNode> counts =
                    subscriptions.valueStream().map(each -> each.path(field)).toList();
            boolean known = subscriptions.isArray() && counts.stream().noneMatch(JsonNode::isNull);
            return known
                    ? Long.toString(counts.stream().mapToLong(JsonNode::asLong).sum())
                    : "";
        };
    }

    private static Function<Result, String> metric(String name, DoubleUnaryOperator cell) {
        return result -> {
            Double value = RunMetrics.of(result.json()).get(name);
            return value == null ? "" : rounded(cell.applyAsDouble(value));
        };
    }

    private static Function<Result, String> phase(String phase) {
        return result -> result.json()
                .path("phases")
                .valueStream()
                .filter(node -> text(node.path("name")).equals(phase))
                .findFirst()
                .map(node -> text(node.path("seconds")))
                .orElse("");
    }

    private static String findings(Result result) {
        return result.json()
                .path("findings")
                .valueStream()
                .map(finding -> text(finding.path("kind")))
                .collect(Collectors.joining(" "));
    }

    private static String rounded(double rate) {
        return String.format(Locale.ROOT, "%.2f", rate);
    }

    /** Returns a value as a cell; empty if it is missing, null or not a single value. */
    private static String text(JsonNode node) {
        if (node.isFloatingPointNumber()) {
            double number = node.asDouble();
            return Double.isFinite(number) ? Quantities.decimalText(number) : "";
        }
        return node.isString() || node.isBoolean() || node.isNumber() ? node.asString() : "";
    }
}
