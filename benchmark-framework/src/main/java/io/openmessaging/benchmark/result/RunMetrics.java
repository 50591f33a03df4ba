package io.openmessaging.benchmark.result;

import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/**
 * The figures by which runs are compared, as single numbers taken from a result file. Each has a name and a unit; a run
 * has those that it measured.
 */
public final class RunMetrics {

    private record Metric(String unit, Function<JsonNode, OptionalDouble> value) {}

    private static final double PERCENT = 100;

    private static final String MS = "ms";
    private static final String MSG_PER_S = "msg/s";
    private static final String MB_PER_S = "MB/s";
    private static final String SECONDS = "s";
    private static final String CORES = "cores";
    private static final String OF_ALL = "%";
    private static final String BYTES = "bytes";

    private static final String RATES = "rates";

    private static final Map<String, Metric> METRICS = metrics();

    private RunMetrics() {}

    /** The names of all metrics. */
    public static Set<String> names() {
        return METRICS.keySet();
    }

    /** The unit of a metric; empty if there is no such metric. */
    public static Optional<String> unit(String name) {
        return Optional.ofNullable(METRICS.get(name)).map(Metric::unit);
    }

    /** What a run has measured. */
    public static Map<String, Double> of(JsonNode run) {
        Map<String, Double> values = new LinkedHashMap<>();
        METRICS.forEach((name, metric) -> {
            OptionalDouble value = metric.value().apply(run);
            if (value.isPresent()) {
                values.put(name, value.getAsDouble());
            }
        });
        return values;
    }

    private static Map<String, Metric> metrics() {
        Map<String, Metric> metrics = new LinkedHashMap<>();
        addRates(metrics);
        for (OmbFields.Metric latency : OmbFields.METRICS) {
            if (latency.unit() == OmbFields.Unit.MS) {
                for (String suffix : OmbFields.suffixes()) {
                    metrics.put(
                            latency.name() + suffix,
                            new Metric(MS, run -> latency(run, latency.name(), latency.aggregated(suffix))));
                }
            }
        }
        metrics.put("messagesLost", new Metric("messages", run -> number(run, "audit", "lost")));
        metrics.put("messagesUndelivered", new Metric("messages", run -> number(run, "audit", "undelivered")));
        addCosts(metrics);
        metrics.put(
                "saturationProducers",
                new Metric("producers", run -> number(run, CourseFields.SATURATION, "producers")));
        metrics.put(
                "saturationRate",
                new Metric(MSG_PER_S, run -> number(run, CourseFields.SATURATION, OmbFields.PUBLISH_RATE)));
        metrics.put(
                "kneeRate",
                new Metric(
                        MSG_PER_S,
                        run -> number(run, CourseFields.RATE_SWEEP, CourseFields.KNEE, ResultJson.TARGET_RATE)));
        metrics.put(
                CourseFields.HIGHEST_SUSTAINED,
                new Metric(MSG_PER_S, run -> number(run, CourseFields.RATE_SWEEP, CourseFields.HIGHEST_SUSTAINED)));
        return Collections.unmodifiableMap(metrics);
    }

    private static void addRates(Map<String, Metric> metrics) {
        metrics.put(OmbFields.PUBLISH_RATE, new Metric(MSG_PER_S, run -> number(run, RATES, "publish")));
        metrics.put(OmbFields.CONSUME_RATE, new Metric(MSG_PER_S, run -> number(run, RATES, "consume")));
        for (String name : List.of("publishMBPerSec", "consumeMBPerSec")) {
            metrics.put(name, new Metric(MB_PER_S, run -> number(run, RATES, name)));
        }
        metrics.put(CourseFields.SEND_SECONDS, new Metric(SECONDS, run -> number(run, CourseFields.SEND_SECONDS)));
        metrics.put("totalSeconds", new Metric(SECONDS, run -> number(run, CourseFields.RECEIVE_SECONDS)));
        metrics.put(
                "totalRate",
                new Metric(
                        MSG_PER_S,
                        run -> ratio(
                                number(run, "counts", "acknowledged"), number(run, CourseFields.RECEIVE_SECONDS))));
    }

    private static void addCosts(Map<String, Metric> metrics) {
        metrics.put("brokerCpuCores", new Metric(CORES, run -> cores(run, Role.BROKER)));
        metrics.put(
                "brokerCpuPercent",
                new Metric(
                        OF_ALL,
                        run -> ofThisHost(
                                run,
                                ratio(
                                        times(cores(run, Role.BROKER), PERCENT),
                                        number(run, "environment", "processors")))));
        metrics.put("brokerMemoryBytes", new Metric(BYTES, run -> sum(run, Role.BROKER, Figure.RESIDENT_BYTES)));
        metrics.put(
                "brokerMemoryPercent",
                new Metric(
                        OF_ALL,
                        run -> ofThisHost(
                                run,
                                ratio(
                                        times(sum(run, Role.BROKER, Figure.RESIDENT_BYTES), PERCENT),
                                        times(number(run, "environment", "memoryMiB"), Quantities.BYTES_PER_MIB)))));
        metrics.put("brokerHeapBytes", new Metric(BYTES, run -> sum(run, Role.BROKER, Figure.HEAP_USED_BYTES)));
        metrics.put(
                "brokerCollectionsPerSec", new Metric("1/s", run -> sum(run, Role.BROKER, Figure.COLLECTIONS_PER_SEC)));
        metrics.put("hostCpuPercent", new Metric(OF_ALL, RunMetrics::busy));
        metrics.put("hostMemoryPercent", new Metric(OF_ALL, run -> sum(run, Role.HOST, Figure.MEMORY_USED_PERCENT)));
        metrics.put("harnessCpuCores", new Metric(CORES, run -> cores(run, Role.HARNESS)));
        metrics.put("harnessMemoryBytes", new Metric(BYTES, run -> sum(run, Role.HARNESS, Figure.RESIDENT_BYTES)));
        metrics.put(
                ResourceFields.MESSAGES_PER_BROKER_CPU_SECOND,
                new Metric(
                        MSG_PER_S,
                        run -> number(run, ResourceFields.RESOURCES, ResourceFields.MESSAGES_PER_BROKER_CPU_SECOND)));
    }

    /** OMB's latencies are 0 where they were not measured, and the result then names them. */
    private static OptionalDouble latency(JsonNode run, String name, String field) {
        boolean notMeasured = StreamSupport.stream(
                        run.path(OmbFields.NOT_MEASURED).spliterator(), false)
                .anyMatch(each -> each.asString("").equals(name));
        return notMeasured ? OptionalDouble.empty() : number(run, field);
    }

    private static OptionalDouble cores(JsonNode run, Role role) {
        return times(sum(run, role, Figure.CPU_CORE_PERCENT), 1 / PERCENT);
    }

    private static OptionalDouble busy(JsonNode run) {
        OptionalDouble idle = sum(run, Role.HOST, Figure.HOST_IDLE_PERCENT);
        return idle.isPresent() ? OptionalDouble.of(PERCENT - idle.getAsDouble()) : idle;
    }

    /** A broker elsewhere has another host, whose size nobody tells. */
    private static OptionalDouble ofThisHost(JsonNode run, OptionalDouble value) {
        return run.path("broker").path("managed").asBoolean(false) ? value : OptionalDouble.empty();
    }

    /** The mean of a figure, all of that role together. */
    private static OptionalDouble sum(JsonNode run, Role role, Figure figure) {
        double sum = 0;
        boolean found = false;
        for (JsonNode entry : run.path(ResourceFields.RESOURCES).path("entries")) {
            OptionalDouble mean = number(entry, "figures", figure.label(), "mean");
            if (mean.isPresent()
                    && entry.path("role").asString("").equals(role.name().toLowerCase(Locale.ROOT))) {
                sum += mean.getAsDouble();
                found = true;
            }
        }
        return found ? OptionalDouble.of(sum) : OptionalDouble.empty();
    }

    private static OptionalDouble number(JsonNode node, String... path) {
        JsonNode value = node;
        for (String name : path) {
            value = value.path(name);
        }
        return value.isNumber() ? OptionalDouble.of(value.asDouble()) : OptionalDouble.empty();
    }

    private static OptionalDouble times(OptionalDouble value, double factor) {
        return value.isPresent() ? OptionalDouble.of(value.getAsDouble() * factor) : value;
    }

    private static OptionalDouble ratio(OptionalDouble value, OptionalDouble divisor) {
        return value.isPresent() && divisor.isPresent() && divisor.getAsDouble() > 0
                ? OptionalDouble.of(value.getAsDouble() / divisor.getAsDouble())
                : OptionalDouble.empty();
    }
}
