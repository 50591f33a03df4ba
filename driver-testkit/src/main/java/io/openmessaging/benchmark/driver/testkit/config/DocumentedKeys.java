package io.openmessaging.benchmark.driver.testkit.config;

import io.openmessaging.benchmark.binding.RecordKey;
import io.openmessaging.benchmark.driver.Default;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Compares what a driver's README says of the keys with what their record says. The README's tables of keys have {@code
 * key} above their first column, or the part of the file that they are about, such as {@code `client.`}; the second column
 * may be {@code default}. Several keys of a row have a default each, or one in common. What is told of the default of a
 * key that has none is free text.
 */
final class DocumentedKeys {

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern HEADING = Pattern.compile("key|`[\\w.]+\\.`");

    /** By key, what the tables say of its default; empty for nothing. */
    private final Map<String, String> told = new LinkedHashMap<>();

    private final List<String> differences = new ArrayList<>();

    private DocumentedKeys() {}

    /** Where they differ, in sentences. */
    static List<String> differences(Path readme, Class<? extends Record> type) throws IOException {
        DocumentedKeys keys = new DocumentedKeys();
        keys.read(readme);
        keys.compare("", type);
        keys.told.keySet().forEach(key -> keys.differences.add(key + " is not a key"));
        return keys.differences;
    }

    private void read(Path readme) throws IOException {
        String[] heading = {};
        for (String line : Files.readAllLines(readme)) {
            String[] cells = line.split("\\s*\\|\\s*", -1);
            if (cells.length < 3 || heading.length < 3) {
                heading = cells;
            } else if (HEADING.matcher(heading[1]).matches()) {
                readRow(heading, cells);
            }
        }
    }

    private void readRow(String[] heading, String[] cells) {
        List<String> keys = codes(cells[1]);
        String defaults = heading[2].equals("default") ? cells[2].replace("`", "") : "";
        String[] each = defaults.split(", ");
        String part = heading[1].equals("key") ? "" : codes(heading[1]).get(0);
        String full = part;
        for (int i = 0; i < keys.size(); i++) {
            String key = keys.get(i);
            // The further keys of a row may have a dot in place of what they have in common with the one before.
            full = key.startsWith(".") ? full.substring(0, full.lastIndexOf('.')) + key : part + key;
            told.put(full, each.length == keys.size() ? each[i] : defaults);
        }
    }

    private static List<String> codes(String cell) {
        return CODE.matcher(cell).results().map(code -> code.group(1)).toList();
    }

    /** A part counts as one key, unless keys of the part are told. */
    private void compare(String part, Class<?> type) {
        for (RecordKey key : RecordKey.of(type)) {
            String full = part + key.name();
            if (told.keySet().stream().anyMatch(other -> other.startsWith(full + "."))) {
                compare(full + ".", key.component().getType());
                continue;
            }
            String said = told.remove(full);
            String value = defaultOf(key);
            if (said == null) {
                differences.add(full + " is missing");
            } else if (!said.isEmpty() && !value.isEmpty() && !said.equalsIgnoreCase(value)) {
                differences.add("the default of " + full + " is " + value + ", not " + said);
            }
        }
    }

    /** As a file would have it; empty for none, and for an empty list or part. */
    private static String defaultOf(RecordKey key) {
        Default value = key.component().getAnnotation(Default.class);
        if (value != null) {
            return value.value().replaceAll("\\[]|\\{}", "");
        }
        Class<?> type = key.component().getType();
        return type == boolean.class ? "false" : type.isPrimitive() ? "0" : "";
    }
}
