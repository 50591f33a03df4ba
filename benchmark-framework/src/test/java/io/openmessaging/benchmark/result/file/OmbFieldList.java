package io.openmessaging.benchmark.result.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.result.GoldenFile;
import io.openmessaging.benchmark.result.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The fields of OMB's results with their types, and a check that a result has them. */
public final class OmbFieldList {

    private static final String FILE = "omb-fields.txt";

    private OmbFieldList() {}

    /** Names and types, in the order of the list. */
    static Map<String, String> fields() throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String line : Files.readAllLines(GoldenFile.path(FILE))) {
            String[] field = line.split(" ", 2);
            assertThat(fields.put(field[0], field[1])).as("%s, twice", line).isNull();
        }
        return fields;
    }

    /**
     * Fails unless the result's file has every field, with its type, and each list has a value for each period. The
     * value of a latency without a sample is null.
     */
    public static void assertHasAll(RunResult result) throws IOException {
        JsonNode json = JsonMapper.shared().readTree(ResultJson.render(result));
        fields().forEach((name, type) -> {
            assertThat(json.has(name)).as(name).isTrue();
            assertThat(isOfType(json.get(name), type, name.contains("Latency")))
                    .as("%s %s: %s", name, type, json.get(name))
                    .isTrue();
            if (type.startsWith("list")) {
                assertThat(json.get(name).size())
                        .as("%s has a value for each period", name)
                        .isEqualTo(result.measured().size());
            }
        });
    }

    private static boolean isOfType(JsonNode value, String type, boolean orNull) {
        return switch (type) {
            case "text" -> value.isString();
            case "whole" -> value.isIntegralNumber() || (orNull && value.isNull());
            case "decimal" -> value.isFloatingPointNumber() || (orNull && value.isNull());
            case "list of whole", "list of decimal" ->
                value.isArray()
                        && value.valueStream().allMatch(element -> isOfType(element, type.substring(8), orNull));
            case "map to whole", "map to decimal" ->
                value.isObject()
                        && value.propertyNames().stream().allMatch(key -> key.matches("\\d+(\\.\\d+)?"))
                        && value.valueStream().allMatch(element -> isOfType(element, type.substring(7), false));
            default -> throw new IllegalArgumentException(type);
        };
    }
}
