package io.openmessaging.benchmark.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.binding.AbsentWith;
import io.openmessaging.benchmark.binding.RecordKey;
import io.openmessaging.benchmark.driver.Default;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that docs/WORKLOADS.md lists every key of a workload with its default and the keys that exclude it. */
class DocumentedKeysTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "WORKLOADS.md");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** The table cells after the key, by key. */
    private final Map<String, String[]> keys = new LinkedHashMap<>();

    /** The keys that a key excludes or is excluded by, by key. */
    private final Map<String, List<String>> exclusions = new LinkedHashMap<>();

    @BeforeEach
    void readTheTables() throws IOException {
        boolean ofExclusions = false;
        for (String line : Files.readAllLines(DOCUMENT)) {
            ofExclusions = ofExclusions || line.equals("## What excludes what");
            String[] cells = line.split(" \\| ");
            if (ofExclusions && cells.length == 2) {
                codes(cells[0])
                        .forEach(key -> exclusions
                                .computeIfAbsent(key, k -> new ArrayList<>())
                                .addAll(codes(line)));
            } else if (cells.length == 3) {
                codes(cells[0]).forEach(key -> keys.put(key, cells));
            }
        }
    }

    private static List<String> codes(String text) {
        return CODE.matcher(text).results().map(result -> result.group(1)).toList();
    }

    @Test
    void everyKeyIsThereAndNoOther() {
        assertThat(keys.keySet())
                .containsExactlyInAnyOrderElementsOf(RecordKey.of(Workload.class).stream()
                        .map(RecordKey::name)
                        .toList());
    }

    @Test
    void theDefaultsAreThoseOfTheKeys() {
        for (RecordKey key : RecordKey.of(Workload.class)) {
            Default value = key.component().getAnnotation(Default.class);
            String[] cells = Objects.requireNonNull(keys.get(key.name()), key.name());
            if (value != null && !value.value().isEmpty()) {
                assertThat(cells[1].replace("`", "")).as(key.name()).isEqualTo(value.value());
            } else if (key.component().getType() == boolean.class) {
                assertThat(cells[1]).as(key.name()).isEqualTo("`false`");
            } else if (codes(cells[0]).size() == 1) {
                assertThat(codes(cells[1])).as(key.name()).isEmpty();
            }
        }
    }

    @Test
    void whatExcludesAKeyIsToldOfEitherOfThem() {
        for (RecordKey key : RecordKey.of(Workload.class)) {
            for (AbsentWith absent : key.absentWith()) {
                for (String other : absent.value()) {
                    List<String> told = new ArrayList<>(exclusions.getOrDefault(key.name(), List.of()));
                    if (exclusions.getOrDefault(other, List.of()).contains(key.name())) {
                        told.add(other);
                    }
                    assertThat(told).as(key.name() + " with " + other).contains(other);
                }
            }
        }
    }
}
