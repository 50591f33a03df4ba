package io.openmessaging.benchmark.result.compare;

import io.openmessaging.benchmark.metric.SharedDefinitions;
import io.openmessaging.benchmark.result.Quantities;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Decides which runs are repetitions of each other, and names the others by the fewest fields that distinguish all of
 * them. The fields that must be equal and those that may differ are in {@code repetitions.yaml}, which the charts read
 * too; tests of both sides read the same examples.
 */
public final class RunVariants {

    private static final JsonNode DEFINITIONS = SharedDefinitions.read("repetitions.yaml");
    private static final List<String> COMPARED = texts("compared");
    private static final List<String> IGNORED = texts("ignored");

    private static final List<String> NOTED = texts("noted");
    private static final Map<String, Pattern> REDUCED =
            byPath("reduced", pattern -> Pattern.compile(pattern.asString()));
    private static final Map<String, Double> ALIKE = byPath("alike", JsonNode::asDouble);

    private static final String WORKLOAD = "workloadEffective";
    private static final String BROKER = "broker/";
    private static final Set<String> NAMED_BY_LAST_PART = Set.of(WORKLOAD, "driverConfig", "environment");
    private static final int LONGEST_VALUE = 40;

    /** A line of a text that is a list of properties, as in driver files. */
    private static final Pattern PROPERTY = Pattern.compile("\\s*([\\w.\\-]+)\\s*=\\s*(.*?)\\s*");

    /** A loopback address; the port of a broker on this machine is arbitrary. */
    private static final Pattern LOOPBACK = Pattern.compile("(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d+)?");

    private RunVariants() {}

    private static List<String> texts(String name) {
        return DEFINITIONS.path(name).valueStream().map(JsonNode::asString).toList();
    }

    private static <T> Map<String, T> byPath(String name, Function<JsonNode, T> value) {
        Map<String, T> values = new LinkedHashMap<>();
        DEFINITIONS.path(name).forEachEntry((path, node) -> values.put(path, value.apply(node)));
        return values;
    }

    /**
     * Returns the differences that do not make variants but may interest the reader, such as {@code host: lab, cloud}.
     *
     * @param results results of this benchmark
     */
    public static List<String> noted(List<JsonNode> results) {
        List<String> noted = new ArrayList<>();
        for (String path : NOTED) {
            List<String> values = results.stream()
                    .map(result -> result.at("/" + path))
                    .filter(value -> !value.isNull() && !value.isMissingNode())
                    .map(RunVariants::text)
                    .distinct()
                    .toList();
            if (values.size() > 1) {
                noted.add(shortName(path) + ": " + String.join(", ", values));
            }
        }
        return noted;
    }

    /**
     * Returns the name of each run's variant, empty if all are repetitions of each other. A run that ended before its
     * broker was known belongs to the first variant that is equal in all else.
     *
     * @param results results of this benchmark, with their configuration
     */
    public static List<String> names(List<JsonNode> results) {
        List<Map<String, String>> runs = fields(results);
        List<Map<String, String>> variants = new ArrayList<>();
        runs.stream().sorted(Comparator.comparing(run -> !hasBroker(run))).forEach(run -> {
            if (variantOf(run, variants).isEmpty()) {
                variants.add(run);
            }
        });
        variants.sort(Comparator.comparingInt(runs::indexOf));
        List<String> labels = variants.size() > 1 ? labels(variants) : List.of("");
        return runs.stream()
                .map(run -> labels.get(variantOf(run, variants).orElse(0)))
                .toList();
    }

    /**
     * Returns the fields of each result that must be equal: texts by path, without those that are null or ignored. A
     * workload key that an older version did not know is left out, unless a workload file has it.
     */
    private static List<Map<String, String>> fields(List<JsonNode> results) {
        Set<String> unknown = new HashSet<>();
        results.forEach(result -> unknown.addAll(keys(result, WORKLOAD)));
        results.stream()
                .map(result -> keys(result, WORKLOAD))
                .filter(keys -> !keys.isEmpty())
                .reduce((some, others) -> some.stream().filter(others::contains).collect(Collectors.toSet()))
                .ifPresent(unknown::removeAll);
        results.forEach(result -> unknown.removeAll(keys(result, "workloadConfig")));
        List<Map<String, String>> fields =
                results.stream().map(result -> fields(result, unknown)).toList();
        ALIKE.forEach((path, share) -> makeAlike(fields, path, share));
        return fields;
    }

    /** Replaces numbers that differ by less than a part by the lowest of them. */
    private static void makeAlike(List<Map<String, String>> results, String path, double share) {
        List<String> texts = results.stream()
                .flatMap(fields -> Stream.ofNullable(fields.get(path)))
                .distinct()
                .sorted(Comparator.comparingDouble(Double::parseDouble))
                .toList();
        Map<String, String> lowest = new HashMap<>();
        String first = null;
        for (String text : texts) {
            if (first == null || Double.parseDouble(text) > Double.parseDouble(first) * (1 + share)) {
                first = text;
            }
            lowest.put(text, first);
        }
        results.forEach(fields -> fields.computeIfPresent(path, (key, text) -> lowest.get(text)));
    }

    private static Set<String> keys(JsonNode result, String name) {
        return new HashSet<>(result.path(name).propertyNames());
    }

    private static Map<String, String> fields(JsonNode result, Set<String> unknown) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String path : COMPARED) {
            flatten(path, result.at("/" + path), fields);
        }
        unknown.forEach(key -> fields.keySet().removeIf(path -> (path + "/").startsWith(WORKLOAD + "/" + key + "/")));
        return fields;
    }

    private static void flatten(String path, JsonNode value, Map<String, String> fields) {
        if (value.isNull() || value.isMissingNode() || isIgnored(path)) {
            return;
        }
        if (value.isObject()) {
            value.forEachEntry((name, inner) -> flatten(path + "/" + name, inner, fields));
        } else if (value.isArray() && value.valueStream().anyMatch(JsonNode::isObject)) {
            for (int i = 0; i < value.size(); i++) {
                flatten(path + "/" + (i + 1), value.get(i), fields);
            }
        } else if (value.isArray()) {
            fields.put(
                    path,
                    value.valueStream()
                            .map(RunVariants::text)
                            .filter(text -> !isIgnored(path + "/" + text))
                            .map(text -> reduced(path, text))
                            .collect(Collectors.joining(" ")));
        } else {
            Map<String, String> properties = value.isString() ? properties(value.asString()) : Map.of();
            properties.forEach((name, text) -> fields.put(path + "/" + name, text));
            if (properties.isEmpty()) {
                fields.put(path, reduced(path, text(value)));
            }
        }
    }

    /** Reads the text as a list of properties; empty if it is not one. */
    private static Map<String, String> properties(String text) {
        Map<String, String> properties = new LinkedHashMap<>();
        for (String line : text.lines().toList()) {
            Matcher property = PROPERTY.matcher(line);
            if (property.matches()) {
                properties.put(property.group(1), local(property.group(2)));
            } else if (!line.isBlank() && !line.stripLeading().startsWith("#")) {
                return Map.of();
            }
        }
        return properties;
    }

    private static String text(JsonNode value) {
        return value.isFloatingPointNumber() ? Quantities.decimalText(value.asDouble()) : local(value.asString());
    }

    private static String local(String text) {
        return LOOPBACK.matcher(text).replaceAll("localhost");
    }

    /** Returns the part of the text that is compared; the whole text if the pattern does not match. */
    private static String reduced(String path, String text) {
        Pattern pattern = REDUCED.get(path);
        Matcher matcher = pattern == null ? null : pattern.matcher(text);
        if (matcher == null || !matcher.matches()) {
            return text;
        }
        return IntStream.rangeClosed(1, matcher.groupCount())
                .mapToObj(matcher::group)
                .collect(Collectors.joining());
    }

    private static boolean isIgnored(String path) {
        return IGNORED.stream()
                .anyMatch(pattern -> pattern.endsWith("*")
                        ? path.startsWith(pattern.substring(0, pattern.length() - 1))
                        : path.equals(pattern));
    }

    private static boolean hasBroker(Map<String, String> run) {
        return run.keySet().stream().anyMatch(path -> path.startsWith(BROKER));
    }

    private static Optional<Integer> variantOf(Map<String, String> run, List<Map<String, String>> variants) {
        int equal = variants.indexOf(run);
        if (equal >= 0 || hasBroker(run)) {
            return equal >= 0 ? Optional.of(equal) : Optional.empty();
        }
        return IntStream.range(0, variants.size())
                .filter(number -> run.equals(withoutBroker(variants.get(number))))
                .boxed()
                .findFirst();
    }

    private static Map<String, String> withoutBroker(Map<String, String> run) {
        Map<String, String> rest = new LinkedHashMap<>(run);
        rest.keySet().removeIf(path -> path.startsWith(BROKER));
        return rest;
    }

    private static List<String> labels(List<Map<String, String>> variants) {
        // Sort in the order of the compared fields, and within that in the order of the results.
        List<String> differing = variants.stream()
                .flatMap(variant -> variant.keySet().stream())
                .distinct()
                .sorted(Comparator.comparingInt(RunVariants::placeOf))
                .filter(path -> countDistinct(variants, List.of(path)) > 1)
                .toList();
        List<String> chosen = new ArrayList<>();
        while (countDistinct(variants, chosen) < variants.size()) {
            chosen.add(best(variants, chosen, differing));
        }
        List<String> shorts = chosen.stream().map(RunVariants::shortName).toList();
        List<String> labels = variants.stream()
                .map(variant -> chosen.stream()
                        .map(path -> named(
                                Collections.frequency(shorts, shortName(path)) == 1 ? shortName(path) : longName(path),
                                variant.get(path)))
                        .collect(Collectors.joining(", ")))
                .toList();
        // Shortened texts may have become equal.
        return IntStream.range(0, labels.size())
                .mapToObj(number -> {
                    String label = labels.get(number);
                    int which = Collections.frequency(labels.subList(0, number + 1), label);
                    return Collections.frequency(labels, label) == 1 ? label : label + " #" + which;
                })
                .toList();
    }

    /** Returns the field that separates the most variants in addition to those already chosen; the first of several. */
    private static String best(List<Map<String, String>> variants, List<String> chosen, List<String> differing) {
        ToIntFunction<String> told = path -> countDistinct(
                variants, Stream.concat(chosen.stream(), Stream.of(path)).toList());
        return differing.stream()
                .reduce((best, path) -> told.applyAsInt(path) > told.applyAsInt(best) ? path : best)
                .orElseThrow();
    }

    private static int countDistinct(List<Map<String, String>> variants, List<String> paths) {
        return variants.stream()
                .map(variant -> paths.stream()
                        .map(path -> Optional.ofNullable(variant.get(path)))
                        .toList())
                .collect(Collectors.toSet())
                .size();
    }

    private static int placeOf(String path) {
        return IntStream.range(0, COMPARED.size())
                .filter(number -> path.startsWith(COMPARED.get(number)))
                .findFirst()
                .orElse(COMPARED.size());
    }

    /** Returns the last part of the path if the parts before it tell the reader nothing more. */
    private static String shortName(String path) {
        List<String> parts = List.of(path.split("/", -1));
        String last = parts.get(parts.size() - 1);
        String parent = parts.size() > 1 ? parts.get(parts.size() - 2) : "";
        if (!parent.isEmpty() && parent.chars().allMatch(Character::isDigit)) {
            return parent + "/" + last;
        }
        return parts.size() > 2 || NAMED_BY_LAST_PART.contains(parts.get(0)) ? last : String.join(" ", parts);
    }

    private static String longName(String path) {
        return path.substring(path.indexOf('/') + 1).replace('/', ' ');
    }

    private static String named(String name, @Nullable String text) {
        if (text == null) {
            return "no " + name;
        }
        return name + " " + (text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE - 1) + "…");
    }
}
