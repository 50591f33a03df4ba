package io.openmessaging.benchmark.resources;

import io.openmessaging.benchmark.resources.PrometheusText.Sample;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which series of an exporter is which figure. Read from {@code series.properties}, where each key is a product and a
 * figure and each value a series, maybe with a label and a factor: {@code jmx.heapUsedBytes = jvm_memory_used_bytes
 * {area=heap} * 1}. Series of that name are added up.
 *
 * <p>Names of different products differ, so all entries are tried on every answer; where several give the same figure,
 * the product that comes first in the alphabet counts.
 */
final class SeriesMapping {

    private static final String RESOURCE = "series.properties";

    private static final Pattern ENTRY =
            Pattern.compile("(?<name>[a-zA-Z_:][\\w:]*)\\s*(?:\\{(?<label>\\w+)=(?<value>[^}]*)})?\\s*"
                    + "(?:\\*\\s*(?<factor>[0-9.eE+-]+))?");

    private record Entry(Figure figure, String name, String label, String value, double factor) {
        boolean matches(Sample sample) {
            return sample.name().equals(name)
                    && (label.isEmpty() || value.equals(sample.labels().get(label)));
        }
    }

    private final List<Entry> entries;

    private SeriesMapping(List<Entry> entries) {
        this.entries = entries;
    }

    /** The mapping that is part of the framework. */
    static SeriesMapping shipped() {
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
                    entry.group("name"),
                    Objects.requireNonNullElse(entry.group("label"), ""),
                    Objects.requireNonNullElse(entry.group("value"), ""),
                    entry.group("factor") == null ? 1 : Double.parseDouble(entry.group("factor"))));
        }
        return new SeriesMapping(entries);
    }

    /** The figures that an answer tells. */
    EnumMap<Figure, Double> figures(List<Sample> samples) {
        EnumMap<Figure, Double> figures = new EnumMap<>(Figure.class);
        for (Entry entry : entries) {
            if (!figures.containsKey(entry.figure)) {
                samples.stream()
                        .filter(entry::matches)
                        .mapToDouble(Sample::value)
                        .filter(Double::isFinite)
                        .reduce(Double::sum)
                        .ifPresent(sum -> figures.put(entry.figure, sum * entry.factor));
            }
        }
        return figures;
    }

    /** The names of all series that are looked for. */
    Map<Figure, List<String>> names() {
        Map<Figure, List<String>> names = new EnumMap<>(Figure.class);
        entries.forEach(entry ->
                names.computeIfAbsent(entry.figure, figure -> new ArrayList<>()).add(entry.name));
        return names;
    }
}
