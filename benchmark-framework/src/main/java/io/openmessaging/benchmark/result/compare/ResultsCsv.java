package io.openmessaging.benchmark.result.compare;

import io.openmessaging.benchmark.metric.LatencyFigure;
import io.openmessaging.benchmark.metric.LatencyMetric;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.result.file.CalibrationFile;
import io.openmessaging.benchmark.result.file.OmbFields;
import io.openmessaging.benchmark.result.file.ResultFileException;
import io.openmessaging.benchmark.result.file.ResultFiles;
import io.openmessaging.benchmark.result.file.ResultJson;
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
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A table of many results: a row for each result file of a folder, ours and OMB's alike. The columns that OMB's table
 * has come first, under OMB's names; unlike OMB's, which rounds rates to one significant digit, they are exact. A cell
 * is empty where the file does not tell or the latency was not measured.
 */
public final class ResultsCsv {

    /**
     * What became of the files of the folder.
     *
     * @param rows how many results are in the table
     * @param skipped a sentence for each file that is no result: {@code file: reason}
     */
    public record Written(int rows, List<String> skipped) {}

    /**
     * A row.
     *
     * @param fileName of the result
     * @param json its content
     * @param variant what tells it from others of the same workload and driver; empty if they are repetitions of each other
     */
    private record Result(String fileName, JsonNode json, String variant) {

        /** OMB's results say nothing of their configuration. */
        boolean isOurs() {
            return json.has(ResultJson.SCHEMA);
        }

        List<Object> name() {
            return List.of(text(json.path(OmbFields.WORKLOAD)), text(json.path(OmbFields.DRIVER)), isOurs());
        }

        Result withVariant(String named) {
            return new Result(fileName, json, named);
        }
    }

    private record Column(String name, Function<Result, String> cell) {}

    /** A file is no result; the message says why. */
    private static final class NoResultException extends Exception {
        private static final long serialVersionUID = 1L;

        NoResultException(String message) {
            super(message);
        }
    }

    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final Pattern NEEDS_QUOTES = Pattern.compile("[\",\\r\\n]|^\\s|\\s$");

    /** Results of OMB's first versions lack them. */
    private static final List<String> COUNT_FIELDS = List.of(
            OmbFields.TOPICS,
            OmbFields.PARTITIONS,
            OmbFields.MESSAGE_SIZE,
            OmbFields.PRODUCERS_PER_TOPIC,
            OmbFields.CONSUMERS_PER_TOPIC);

    private static final Comparator<Result> ORDER = Comparator.comparingLong((Result result) ->
                    result.json().path(OmbFields.MESSAGE_SIZE).asLong())
            .thenComparingLong(result -> result.json().path(OmbFields.TOPICS).asLong())
            .thenComparingLong(
                    result -> result.json().path(OmbFields.PARTITIONS).asLong())
            .thenComparing(result -> text(result.json().path(OmbFields.WORKLOAD)))
            .thenComparing(result -> text(result.json().path(OmbFields.DRIVER)))
            .thenComparing(result -> text(result.json().path(ResultJson.BEGIN_TIME)));

    private static final List<Column> COLUMNS = columns();

    private ResultsCsv() {}

    /**
     * Writes the table of all results in a folder, not of those in folders below it.
     *
     * @param target the file, which is overwritten if it is there
     * @throws ResultFileException with a sentence for the user, if the folder cannot be read or the table not written
     */
    public static Written write(Path folder, Path target) throws ResultFileException {
        List<String> skipped = new ArrayList<>();
        List<Result> results = new ArrayList<>();
        for (Path file : jsonFiles(folder)) {
            String name = String.valueOf(file.getFileName());
            try {
                read(file).ifPresent(json -> results.add(new Result(name, json, "")));
            } catch (NoResultException e) {
                skipped.add(name + ": " + e.getMessage());
            }
        }
        List<Result> rows = new ArrayList<>(toldApart(results));
        rows.sort(ORDER);
        try {
            Files.writeString(target, table(rows));
        } catch (IOException e) {
            throw new ResultFileException(target + ": the table could not be written: " + ResultFiles.reason(e), e);
        }
        return new Written(results.size(), List.copyOf(skipped));
    }

    /** Of results of the same name, only those of the same variant are repetitions: for OMB's, none is. */
    private static List<Result> toldApart(List<Result> results) {
        List<Result> named = new ArrayList<>();
        Map<List<Object>, List<Result>> byName =
                results.stream().collect(Collectors.groupingBy(Result::name, LinkedHashMap::new, Collectors.toList()));
        for (List<Result> own : byName.values()) {
            List<String> variants = own.get(0).isOurs()
                    ? RunVariants.names(own.stream().map(Result::json).toList())
                    : own.stream()
                            .map(result -> own.size() == 1 ? "" : result.fileName())
                            .toList();
            for (int i = 0; i < own.size(); i++) {
                named.add(own.get(i).withVariant(variants.get(i)));
            }
        }
        return named;
    }

    /** By name: the order of results that nothing else tells apart. */
    private static List<Path> jsonFiles(Path folder) throws ResultFileException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".json") && Files.isRegularFile(file))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new ResultFileException(folder + ": results cannot be read there: " + ResultFiles.reason(e), e);
        }
    }

    /** Empty if the file lies among results and is not meant to be one. */
    private static Optional<JsonNode> read(Path file) throws NoResultException {
        JsonNode json;
        try {
            json = MAPPER.readTree(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new NoResultException("cannot be read: " + ResultFiles.reason(e));
        } catch (JacksonException e) {
            TokenStreamLocation location = e.getLocation();
            throw new NoResultException("is not valid JSON, or only a part of it"
                    + (location == null
                            ? ""
                            : ": line " + location.getLineNr() + ", column " + location.getColumnNr()));
        }
        if (CalibrationFile.isCalibration(json)) {
            return Optional.empty();
        }
        for (String field : COUNT_FIELDS) {
            if (json.has(field) && !json.path(field).isIntegralNumber()) {
                throw new NoResultException("is no result: " + field + " is no whole number");
            }
        }
        for (String field : List.of(OmbFields.PUBLISH_RATE, OmbFields.CONSUME_RATE)) {
            JsonNode list = json.path(field);
            if (!list.isArray() || !list.valueStream().allMatch(JsonNode::isNumber)) {
                throw new NoResultException("is no result: " + field + " is missing or no list of numbers");
            }
        }
        return Optional.of(json);
    }

    private static String table(List<Result> results) {
        StringBuilder table = new StringBuilder();
        table.append(COLUMNS.stream().map(Column::name).collect(Collectors.joining(",")))
                .append('\n');
        for (Result result : results) {
            table.append(COLUMNS.stream()
                            .map(column -> quoted(column.cell().apply(result)))
                            .collect(Collectors.joining(",")))
                    .append('\n');
        }
        return table.toString();
    }

    private static String quoted(String cell) {
        return NEEDS_QUOTES.matcher(cell).find() ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
    }

    private static List<Column> columns() {
        List<Column> columns = new ArrayList<>();
        addField(columns, "topics", OmbFields.TOPICS);
        addField(columns, "partitions", OmbFields.PARTITIONS);
        addField(columns, "message-size", OmbFields.MESSAGE_SIZE);
        addField(columns, "producers-per-topic", OmbFields.PRODUCERS_PER_TOPIC);
        addField(columns, "consumers-per-topic", OmbFields.CONSUMERS_PER_TOPIC);
        addRates(columns, "prod-rate", OmbFields.PUBLISH_RATE);
        addRates(columns, "con-rate", OmbFields.CONSUME_RATE);
        addField(columns, "workload", OmbFields.WORKLOAD);
        addField(columns, "driver", OmbFields.DRIVER);
        columns.add(new Column("variant", Result::variant));
        addField(columns, "verdict", ResultJson.VERDICT);
        addField(columns, "begin", ResultJson.BEGIN_TIME);
        columns.add(new Column("file", Result::fileName));
        addField(columns, "target-rate", ResultJson.TARGET_RATE);
        addField(columns, "sustainable-rate", ResultJson.SUSTAINABLE_RATE);
        addField(columns, "slo-passed", "slo/passed");
        addField(columns, "send-s", "sendSeconds");
        addField(columns, "receive-s", "receiveSeconds");
        addField(columns, "saturation-producers", "saturation/producers");
        addField(columns, "saturation-consumers", "saturation/consumers");
        addField(columns, "saturation-rate", "saturation/publishRate");
        addField(columns, "knee-rate", "rateSweep/knee/targetRate");
        addField(columns, "highest-sustained-rate", "rateSweep/highestSustainedRate");
        LatencyMetric.ALL.forEach(metric -> addLatency(columns, metric));
        addAudit(columns, "audit-expected", "expected");
        addAudit(columns, "audit-received", "received");
        addAudit(columns, "audit-lost", "lost");
        addAudit(columns, "audit-undelivered", "undelivered");
        addAudit(columns, "audit-duplicated", "duplicated");
        addAudit(columns, "audit-out-of-order", "outOfOrder");
        addPhase(columns, "backlog-build");
        addPhase(columns, "backlog-drain");
        addResource(columns, "broker-cores", "broker/cpuCorePercent", 1.0 / 100);
        addResource(columns, "broker-resident-mb", "broker/residentBytes", 1 / Quantities.BYTES_PER_MB);
        addResource(columns, "broker-gc-percent", "broker/collectionPercent", 1);
        addResource(columns, "harness-cores", "harness/cpuCorePercent", 1.0 / 100);
        addResource(columns, "host-idle-percent", "host/idlePercent", 1);
        columns.add(new Column("findings", ResultsCsv::findings));
        addField(columns, "broker", "broker/product");
        addField(columns, "broker-version", "broker/version");
        addField(columns, "client-version", "clientVersion");
        return List.copyOf(columns);
    }

    private static void addField(List<Column> columns, String name, String path) {
        columns.add(new Column(name, result -> text(result.json().at("/" + path))));
    }

    private static void addRates(List<Column> columns, String name, String field) {
        addRate(columns, name + "-min", field, DoubleSummaryStatistics::getMin);
        addRate(columns, name + "-avg", field, DoubleSummaryStatistics::getAverage);
        columns.add(new Column(name + "-std-dev", result -> standardDeviation(numbers(result, field))));
        addRate(columns, name + "-max", field, DoubleSummaryStatistics::getMax);
    }

    private static void addRate(
            List<Column> columns, String name, String field, Function<DoubleSummaryStatistics, Double> figure) {
        columns.add(new Column(name, result -> {
            List<Double> rates = numbers(result, field);
            return rates.isEmpty() ? "" : rounded(figure.apply(statistics(rates)));
        }));
    }

    /** Of the periods themselves, not of a population that they are a sample of: as OMB does. */
    private static String standardDeviation(List<Double> rates) {
        if (rates.isEmpty()) {
            return "";
        }
        double mean = statistics(rates).getAverage();
        double squares = rates.stream()
                .mapToDouble(rate -> (rate - mean) * (rate - mean))
                .sum();
        return rounded(Math.sqrt(squares / rates.size()));
    }

    private static DoubleSummaryStatistics statistics(List<Double> values) {
        return values.stream().collect(Collectors.summarizingDouble(Double::doubleValue));
    }

    private static List<Double> numbers(Result result, String field) {
        return result.json().path(field).valueStream().map(JsonNode::asDouble).toList();
    }

    private static void addLatency(List<Column> columns, LatencyMetric metric) {
        String name = metric.name().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        String unit = metric.unit().name().toLowerCase(Locale.ROOT);
        for (LatencyFigure figure : LatencyFigure.ALL) {
            String suffix = figure.suffix();
            columns.add(new Column(
                    name + "-" + suffix.toLowerCase(Locale.ROOT) + "-" + unit,
                    result -> RunMetrics.isNotMeasured(result.json(), metric.name())
                            ? ""
                            : text(result.json().path(metric.aggregated(suffix)))));
        }
    }

    /** A count of the audit, the sum over all subscriptions. */
    private static void addAudit(List<Column> columns, String name, String field) {
        columns.add(new Column(name, result -> {
            JsonNode subscriptions = result.json().at("/audit/subscriptions");
            return subscriptions.isArray()
                    ? Long.toString(subscriptions
                            .valueStream()
                            .mapToLong(subscription -> subscription.path(field).asLong(0))
                            .sum())
                    : "";
        }));
    }

    private static void addResource(List<Column> columns, String name, String figure, double factor) {
        columns.add(new Column(name, result -> {
            OptionalDouble mean = RunMetrics.sum(result.json(), figure);
            return mean.isPresent() ? rounded(factor * mean.getAsDouble()) : "";
        }));
    }

    private static void addPhase(List<Column> columns, String phase) {
        columns.add(new Column(phase + "-s", result -> {
            Optional<JsonNode> found = result.json()
                    .path("phases")
                    .valueStream()
                    .filter(node -> text(node.path("name")).equals(phase))
                    .findFirst();
            return found.map(node -> text(node.path("seconds"))).orElse("");
        }));
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

    /** A value as a cell; empty for what is missing, null, or not a single value. */
    private static String text(JsonNode node) {
        if (node.isFloatingPointNumber()) {
            double number = node.asDouble();
            return Double.isFinite(number) ? Quantities.decimalText(number) : "";
        }
        return node.isString() || node.isBoolean() || node.isNumber() ? node.asString() : "";
    }
}
