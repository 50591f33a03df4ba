package io.openmessaging.benchmark.resources;

import io.openmessaging.benchmark.driver.PrometheusText.Sample;
import io.openmessaging.benchmark.measure.CollectorWork;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The mapping from series of exporters to figures. It is read from {@code series.properties}, where each key is a
 * product and a figure and each value a series, optionally with a label and a factor: {@code jmx.heapUsedBytes =
 * jvm_memory_used_bytes {area=heap} * 1}. All series of that name are added up; several names are separated by {@code
 * +}. For figures of garbage collections, {@code by gc} names the label that contains the collector.
 *
 * <p>Names of different products differ, so all entries are tried on every answer; if several give the same figure,
 * the product that is first in alphabetical order counts.
 */
final class SeriesMapping {

    private static final String RESOURCE = "series.properties";

    private static final String NAME = "[a-zA-Z_:][\\w:]*";

    private static final Pattern ENTRY = Pattern.compile(
            "(?<names>" + NAME + "(?:\\s*\\+\\s*" + NAME + ")*)\\s*(?:\\{(?<label>\\w+)=(?<value>[^}]*)})?\\s*"
                    + "(?:by\\s+(?<by>\\w+)\\s*)?(?:\\*\\s*(?<factor>[0-9.eE+-]+))?");

    private static final Pattern PLUS = Pattern.compile("\\s*\\+\\s*");

    private record Entry(Figure figure, List<String> names, String label, String value, String by, double factor) {
        boolean matches(Sample sample) {
            return names.contains(sample.name())
                    && (label.isEmpty() || value.equals(sample.labels().get(label)))
                    && Double.isFinite(sample.value());
        }
    }

    /** The mapping that is part of the framework. */
    static final SeriesMapping SHIPPED = shipped();

    private final List<Entry> entries;
    private final Set<String> names;

    private SeriesMapping(List<Entry> entries) {
        this.entries = entries;
        this.names = names(Set.of());
    }

    private static SeriesMapping shipped() {
        Properties properties = new Properties();
        try (InputStream in = Objects.requireNonNull(SeriesMapping.class.getResourceAsStream(RESOURCE), RESOURCE)) {
            properties.load(new InputStreamReader(in, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return of(properties);
    }

    static SeriesMapping of(Properties properties) {
        List<Entry> entries = new ArrayList<>();
        for (String key : new TreeSet<>(properties.stringPropertyNames())) {
            String label = key.substring(key.lastIndexOf('.') + 1);
            Figure figure = Arrays.stream(Figure.values())
                    .filter(candidate -> candidate.label().equals(label))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(key + ": there is no figure " + label));
            Matcher entry = ENTRY.matcher(properties.getProperty(key).strip());
            if (!entry.matches()) {
                throw new IllegalArgumentException(key + ": not a series: " + properties.getProperty(key));
            }
            entries.add(new Entry(
                    figure,
                    List.of(PLUS.split(entry.group("names"))),
                    Objects.requireNonNullElse(entry.group("label"), ""),
                    Objects.requireNonNullElse(entry.group("value"), ""),
                    Objects.requireNonNullElse(entry.group("by"), ""),
                    entry.group("factor") == null ? 1 : Double.parseDouble(entry.group("factor"))));
        }
        return new SeriesMapping(entries);
    }

    /** Returns the figures in an answer. */
    EnumMap<Figure, Double> figures(List<Sample> samples) {
        EnumMap<Figure, Double> figures = new EnumMap<>(Figure.class);
        for (Entry entry : entries) {
            if (!figures.containsKey(entry.figure)) {
                samples.stream()
                        .filter(entry::matches)
                        .mapToDouble(Sample::value)
                        .reduce(Double::sum)
                        .ifPresent(sum -> figures.put(entry.figure, sum * entry.factor));
            }
        }
        return figures;
    }

    /** Returns the work of each garbage collector in an answer, since the start of its JVM. */
    Map<String, CollectorWork> collectors(List<Sample> samples) {
        Map<String, CollectorWork> collectors = new HashMap<>();
        for (Entry entry : entries) {
            if (!entry.by.isEmpty()) {
                samples.stream()
                        .filter(sample ->
                                entry.matches(sample) && sample.labels().containsKey(entry.by))
                        .forEach(sample -> collectors.merge(
                                sample.labels().getOrDefault(entry.by, ""),
                                work(entry.figure, sample.value() * entry.factor),
                                CollectorWork::plus));
            }
        }
        return collectors;
    }

    private static CollectorWork work(Figure figure, double value) {
        return figure == Figure.COLLECTIONS_PER_SEC
                ? new CollectorWork(Math.round(value), 0)
                : new CollectorWork(0, value);
    }

    /** Returns whether a series is used. */
    boolean isRead(String name) {
        return names.contains(name);
    }

    /** Returns the names of all series used, except those of figures that are left out. */
    Set<String> names(Set<Figure> leftOut) {
        return entries.stream()
                .filter(entry -> !leftOut.contains(entry.figure))
                .flatMap(entry -> entry.names.stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
