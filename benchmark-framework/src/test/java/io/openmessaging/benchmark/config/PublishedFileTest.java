package io.openmessaging.benchmark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.openmessaging.benchmark.binding.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishedFileTest {

    private static final String PUBLISHED = """
            study: example
            citation: Somebody (2026)
            values:
              - {source: Table 2, experiment: e, system: kafka, case: 1 KB, metric: publishRate, value: 2.5, unit: msg/s, run: highest}
              - {source: Figure 9, metric: anything, value: 7, unmeasured: "why"}
            claims:
              - {id: first, source: "§5", text: A sentence., holds: "1 > 2", note: remark, contradicted: Table 3, contrary: {'publishRate(e, kafka, "1 KB")': 2}}
              - {id: second, source: "§5", text: A sentence., reason: "why"}
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private PublishedFile read(String text) throws Exception {
        return PublishedFile.read(Files.writeString(folder.resolve("published.yaml"), text));
    }

    @Test
    void everyKeyIsRead() throws Exception {
        PublishedFile.Keys keys = read(PUBLISHED).keys();
        assertThat(keys.values())
                .containsExactly(
                        new PublishedFile.Value(
                                "Table 2",
                                "e",
                                "kafka",
                                "1 KB",
                                "publishRate",
                                2.5,
                                "msg/s",
                                PublishedFile.OfRun.HIGHEST,
                                null,
                                null,
                                null),
                        new PublishedFile.Value(
                                "Figure 9", "", "", null, "anything", 7.0, null, null, null, null, "why"));
        assertThat(keys.claims())
                .containsExactly(
                        new PublishedFile.Claim(
                                "first",
                                "§5",
                                "A sentence.",
                                "1 > 2",
                                null,
                                "remark",
                                "Table 3",
                                Map.of("publishRate(e, kafka, \"1 KB\")", 2.0)),
                        new PublishedFile.Claim("second", "§5", "A sentence.", null, "why", null, null, Map.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "study: example | stuy: example | stuy: unknown key, did you mean 'study'?",
                "case: 1 KB | cas: 1 KB | values[0].cas: unknown key, did you mean 'case'?",
                "experiment: e, | topics: 1, | values[0].topics: unknown key",
                "system: kafka, | sd: 2, | values[0].system: is missing, must be a system of the plan",
                "value: 2.5 | value: fast | values[0].value: must be a number, got 'fast'",
                "value: 2.5, | sd: 1, | values[0].value: is missing, must be a number",
                "id: second | id: first | claims[1].id: must be different from those of other claims, got 'first'",
                "id: second | id: Second | claims[1].id: must be lower-case letters, digits and '-' only, got 'Second'",
                "note: remark | reason: why | claims[0].holds: must be an expression, or be absent with a reason that says why there is none, got '1 > 2'",
                "reason: | note: | claims[1].holds: is missing, must be an expression, or be absent with a reason that says why there is none",
            })
    void whatIsWrongIsNamed(String before, String after, String problem) {
        Throwable thrown =
                catchThrowable(() -> read(PUBLISHED.replaceFirst(java.util.regex.Pattern.quote(before), after)));
        assertThat(thrown).isInstanceOf(ConfigException.class);
        assertThat(String.valueOf(thrown.getMessage()).lines())
                .contains(folder.resolve("published.yaml") + ": " + problem);
    }
}
