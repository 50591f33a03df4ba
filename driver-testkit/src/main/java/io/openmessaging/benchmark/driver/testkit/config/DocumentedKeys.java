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
 * Compares the keys in a driver's README with those of its record. In the README's tables of keys, the heading of the
 * first column is {@code key}, or the prefix of the part of the file that they document, such as {@code `client.`};
 * that of the second column may be {@code default}. Several keys in a row have one default each, or one in common. For
 * a key without a default, the text in that column is free.
 */
final class DocumentedKeys {

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern HEADING = Pattern.compile("key|`[\\w.]+\\.`");

    /** The documented default by key; empty if none is documented. */
    private final Map<String, String> told = new LinkedHashMap<>();

    private final List<String> differences = new ArrayList<>();

    private DocumentedKeys() {}

    /** Returns the differences, in sentences. */
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
            // Further keys of a row may start with a dot instead of the prefix of the key before.
            full = key.startsWith(".") ? full.substring(0, full.lastIndexOf('.')) + key : part + key;
            told.put(full, each.length == keys.size() ? each[i] : defaults);
        }
    }

    private static List<String> codes(String cell) {
        return CODE.matcher(cell).results().map(code -> code.group(1)).toList();
    }

    /** Counts a part as one key, unless the README documents keys of the part. */
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

    /** Returns the default as it is written in a file; empty for none, and for an empty list or part. */
    private static String defaultOf(RecordKey key) {
        Default value = key.component().getAnnotation(Default.class);
        if (value != null) {
            return value.value().replaceAll("\\[]|\\{}", "");
        }
        Class<?> type = key.component().getType();
        return type == boolean.class ? "false" : type.isPrimitive() ? "0" : "";
    }
}
