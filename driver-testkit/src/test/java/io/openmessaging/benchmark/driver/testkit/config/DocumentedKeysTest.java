package io.openmessaging.benchmark.driver.testkit.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Default;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocumentedKeysTest {

    private static final String README = """
            | file | default | what it is |
            | --- | --- | --- |
            | `tiny.yaml` | 7 | another table |

            | key | default | what it is |
            | --- | --- | --- |
            | `host`, `port` | `localhost`, 80 | where it is |
            | `user`, `tags` | nobody | who, and what else |
            | `durable`, or `kept` * | false | both the same |
            | `tls` | none | a part as a whole |

            | `limits.` | default | what it is |
            | --- | --- | --- |
            | `of.bytes`, `.messages` | 10, 600 | how much |
            | `burst` | | how much at once |
            """;

    /** A driver's keys. */
    public record Keys(
            @Default("localhost") String host,
            @Default("80") int port,
            @Nullable String user,
            @Default("[]") List<String> tags,
            boolean durable,
            boolean kept,
            @Nullable Tls tls,
            @Default("{}") Limits limits) {}

    /** A part of a file. */
    public record Tls(boolean trustAll) {}

    /** A part that has a part. */
    public record Limits(@Default("{}") Amount of, int burst) {}

    /** A part of a part. */
    public record Amount(
            @Default("10") int bytes, @Default("600") int messages) {}

    @TempDir
    Path folder;

    private List<String> differences(String readme) throws IOException {
        return DocumentedKeys.differences(Files.writeString(folder.resolve("README.md"), readme), Keys.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "`host`; `host`; []",
                "`user`, `tags`; `user`; [tags is missing]",
                "`port`; `prot`; [port is missing, prot is not a key]",
                "`localhost`, 80; `localhost`, 81; [the default of port is 80, not 81]",
                "| false; | `true`; [the default of durable is false, not true, the default of kept is false, not true]",
                "10, 600; 10, 6; [the default of limits.of.messages is 600, not 6]",
                "| | how; | 5 | how; [the default of limits.burst is 0, not 5]",
                "`.messages`; `messages`; [limits.of.messages is missing, limits.messages is not a key]",
            })
    void whatDiffersIsTold(String good, String bad, String differences) throws IOException {
        assertThat(README).contains(good);
        assertThat(differences(README.replace(good, bad))).hasToString(differences);
    }
}
