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
 * Reads the text format in which exporters for Prometheus answer: one sample a line, {@code name{label="value",…} value
 * timestamp}, comments behind {@code #}. OpenMetrics, which some answer with, has the same lines.
 *
 * <p>Written here because no maintained library for the JVM reads it; those of the Prometheus project only write it.
 */
public final class PrometheusText {

    /** What is between quotes. Possessive as all else: whatever an answer has in it, a line is gone through once. */
    private static final String QUOTED = "\"((?:[^\"\\\\]++|\\\\.)*+)\"";

    private static final Pattern SAMPLE = Pattern.compile(
            "(?<name>[\\w:]++)\\s*+(?:\\{(?<labels>(?:[^\"}]++|" + QUOTED + ")*+)})?\\s*+(?<value>\\S++).*");

    private static final Pattern LABEL = Pattern.compile("\\s*+([\\w:]++)\\s*+=\\s*+" + QUOTED + "\\s*+(?:,\\s*+|$)");

    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");

    /** The format allows the Go spelling of what is no number. */
    private static final Map<String, Double> SPECIAL = Map.of(
            "+Inf", Double.POSITIVE_INFINITY,
            "-Inf", Double.NEGATIVE_INFINITY,
            "NaN", Double.NaN);

    private static final int SHOWN_CHARACTERS = 80;

    private PrometheusText() {}

    /**
     * One value.
     *
     * @param name of the series
     * @param labels by name
     * @param value as it stands there
     */
    public record Sample(String name, Map<String, String> labels, double value) {}

    /** A line is no sample and no comment. */
    public static final class FormatException extends IOException {
        private static final long serialVersionUID = 1L;

        FormatException(int lineNumber, String line) {
            super("line " + lineNumber + " is no sample: '"
                    + (line.length() > SHOWN_CHARACTERS ? line.substring(0, SHOWN_CHARACTERS) + "…" : line) + "'");
        }
    }

    /**
     * The samples of an answer, in order. Every line must be right, be it wanted or not.
     *
     * @param wanted knows by its name a series of which samples are kept: a large broker answers with tens of thousands
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
