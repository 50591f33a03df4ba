package io.openmessaging.benchmark.resources;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Reads the text format in which exporters for Prometheus answer: one sample a line, {@code name{label="value",…} value
 * timestamp}, comments behind {@code #}. OpenMetrics, which some answer with, has the same lines.
 *
 * <p>Written here because no maintained library for the JVM reads it; those of the Prometheus project only write it.
 */
final class PrometheusText {

    /** The format allows the Go spelling of what is no number. */
    private static final Map<String, Double> SPECIAL = Map.of(
            "+Inf", Double.POSITIVE_INFINITY,
            "-Inf", Double.NEGATIVE_INFINITY,
            "NaN", Double.NaN);

    /**
     * One value.
     *
     * @param name of the series
     * @param labels by name
     * @param value as it stands there
     */
    record Sample(String name, Map<String, String> labels, double value) {}

    /** A line is no sample and no comment. */
    static final class FormatException extends Exception {
        private static final long serialVersionUID = 1L;

        FormatException(int lineNumber, String line) {
            super("line " + lineNumber + " is no sample: '"
                    + (line.length() > SHOWN_CHARACTERS ? line.substring(0, SHOWN_CHARACTERS) + "…" : line) + "'");
        }
    }

    private static final int SHOWN_CHARACTERS = 80;

    private final String line;
    private final int lineNumber;
    private int at;

    private PrometheusText(String line, int lineNumber) {
        this.line = line;
        this.lineNumber = lineNumber;
    }

    /**
     * The samples of an answer, in order. Every line must be right, be it wanted or not.
     *
     * @param wanted knows by its name a series of which samples are kept: a large broker answers with tens of thousands
     */
    static List<Sample> parse(String text, Predicate<String> wanted) throws FormatException {
        List<Sample> samples = new ArrayList<>();
        int number = 0;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            number++;
            String stripped = line.strip();
            if (!stripped.isEmpty() && stripped.charAt(0) != '#') {
                Sample sample = new PrometheusText(stripped, number).sample();
                if (wanted.test(sample.name())) {
                    samples.add(sample);
                }
            }
        }
        return samples;
    }

    private Sample sample() throws FormatException {
        String name = name();
        Map<String, String> labels = new HashMap<>();
        skipSpaces();
        if (at < line.length() && line.charAt(at) == '{') {
            at++;
            readLabels(labels);
        }
        skipSpaces();
        int start = at;
        while (at < line.length() && !Character.isWhitespace(line.charAt(at))) {
            at++;
        }
        return new Sample(name, labels, number(line.substring(start, at)));
    }

    private String name() throws FormatException {
        int start = at;
        while (at < line.length() && isNameCharacter(line.charAt(at))) {
            at++;
        }
        if (at == start) {
            throw wrong();
        }
        return line.substring(start, at);
    }

    private static boolean isNameCharacter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == ':';
    }

    private void readLabels(Map<String, String> labels) throws FormatException {
        while (true) {
            skipSpaces();
            if (next() == '}') {
                return;
            }
            at--;
            String label = name();
            skipSpaces();
            expect('=');
            skipSpaces();
            expect('"');
            labels.put(label, value());
            skipSpaces();
            char end = next();
            if (end == '}') {
                return;
            }
            if (end != ',') {
                throw wrong();
            }
        }
    }

    private String value() throws FormatException {
        StringBuilder value = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') {
                return value.toString();
            }
            if (c == '\\') {
                char escaped = next();
                value.append(escaped == 'n' ? '\n' : escaped);
            } else {
                value.append(c);
            }
        }
    }

    private double number(String text) throws FormatException {
        Double special = SPECIAL.get(text);
        if (special != null) {
            return special;
        }
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw wrong();
        }
    }

    private void expect(char expected) throws FormatException {
        if (next() != expected) {
            throw wrong();
        }
    }

    private char next() throws FormatException {
        if (at >= line.length()) {
            throw wrong();
        }
        return line.charAt(at++);
    }

    private void skipSpaces() {
        while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
            at++;
        }
    }

    private FormatException wrong() {
        return new FormatException(lineNumber, line);
    }
}
