package io.openmessaging.benchmark.driver;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the text format of Prometheus exporters: one sample per line, {@code name{label="value",…} value timestamp},
 * comments after {@code #}. OpenMetrics, which some exporters use, has the same lines.
 *
 * <p>Written here because no maintained JVM library reads it; those of the Prometheus project only write it.
 */
public final class PrometheusText {

    /**
     * Text between quotes. All quantifiers are possessive, so that each line is scanned once, whatever an answer
     * contains.
     */
    private static final String QUOTED = "\"((?:[^\"\\\\]++|\\\\.)*+)\"";

    private static final Pattern SAMPLE = Pattern.compile(
            "(?<name>[\\w:]++)\\s*+(?:\\{(?<labels>(?:[^\"}]++|" + QUOTED + ")*+)})?\\s*+(?<value>\\S++).*");

    private static final Pattern LABEL = Pattern.compile("\\s*+([\\w:]++)\\s*+=\\s*+" + QUOTED + "\\s*+(?:,\\s*+|$)");

    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");

    /** The format permits Go's spelling of values that are no numbers. */
    private static final Map<String, Double> SPECIAL = Map.of(
            "+Inf", Double.POSITIVE_INFINITY,
            "-Inf", Double.NEGATIVE_INFINITY,
            "NaN", Double.NaN);

    private static final int SHOWN_CHARACTERS = 80;

    private PrometheusText() {}

    /**
     * A sample of a series.
     *
     * @param name name of the series
     * @param labels values of the labels by name
     * @param value value as written
     */
    public record Sample(String name, Map<String, String> labels, double value) {}

    /** Reports a line that is neither a sample nor a comment. */
    public static final class FormatException extends IOException {
        private static final long serialVersionUID = 1L;

        FormatException(int lineNumber, String line) {
            super("line " + lineNumber + " is not a sample: '"
                    + (line.length() > SHOWN_CHARACTERS ? line.substring(0, SHOWN_CHARACTERS) + "…" : line) + "'");
        }
    }

    /**
     * Returns the samples of an answer, in order. Every line must be valid, even if it is not wanted.
     *
     * @param wanted accepts the names of series whose samples are kept: a large broker answers with tens of thousands
     * @throws FormatException at the first line that is no sample
     */
    public static List<Sample> parse(String text, Predicate<String> wanted) throws FormatException {
        List<Sample> samples = new ArrayList<>();
        int number = 0;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            number++;
            String stripped = line.strip();
            if (!stripped.isEmpty() && stripped.charAt(0) != '#') {
                Sample sample;
                try {
                    sample = sample(stripped);
                } catch (IllegalArgumentException e) {
                    throw new FormatException(number, stripped);
                }
                if (wanted.test(sample.name())) {
                    samples.add(sample);
                }
            }
        }
        return samples;
    }

    private static Sample sample(String line) {
        Matcher sample = SAMPLE.matcher(line);
        if (!sample.matches()) {
            throw new IllegalArgumentException(line);
        }
        String labels = sample.group("labels");
        String value = sample.group("value");
        Double special = SPECIAL.get(value);
        return new Sample(
                sample.group("name"),
                labels == null ? Map.of() : labels(labels),
                special == null ? Double.parseDouble(value) : special);
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new HashMap<>();
        Matcher label = LABEL.matcher(text);
        int end = 0;
        while (end < text.length() && label.region(end, text.length()).lookingAt()) {
            labels.put(label.group(1), ESCAPED.matcher(label.group(2)).replaceAll(PrometheusText::unescaped));
            end = label.end();
        }
        if (!text.substring(end).isBlank()) {
            throw new IllegalArgumentException(text);
        }
        return labels;
    }

    private static String unescaped(MatchResult escaped) {
        String character = escaped.group(1);
        return Matcher.quoteReplacement(character.equals("n") ? "\n" : character);
    }
}
