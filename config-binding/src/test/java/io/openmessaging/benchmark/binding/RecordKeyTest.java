package io.openmessaging.benchmark.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Effects of the annotations of a record's components on its keys. */
class RecordKeyTest {

    /** A record with every annotation. */
    public record Annotated(
            @Default("5s") @Range(from = "1s", to = "1h") Duration time,

            @AbsentWith(value = "time", because = ", which says the same", eitherOr = true) @Nullable
            Integer minutes,

            @Default("7") @AbsentWith({"minutes", "list"}) @Nullable
            Integer count,

            @Default(value = "3", told = true) @Range(from = "1", to = "1_000") @Nullable
            Integer told,

            @Range(from = "0.5") @Nullable Double least,
            @Range(to = "1d") @Nullable Duration most,

            @Range(from = "100ms", to = "1s", orZero = true) @Nullable
            Duration orZero,

            @Default("[]") List<String> list,
            @Default("{}") Inner inner)
            implements Checked {

        @Override
        public void check(Problems problems) {
            problems.require(list.size() < 2, "list", "must have one element at most", list.size());
            problems.require(!time.isNegative(), "time", "is looked at even if it could not be read", time);
        }
    }

    /** A record with only defaults. */
    public record Inner(@Default("NO") Word word) {}

    /** An enum of two words. */
    public enum Word {
        NO,
        YES
    }

    private static Annotated bind(String yaml) throws ConfigException {
        return RecordBinder.bind(
                Path.of("f"),
                yaml.equals("-")
                        ? YamlNode.Mapping.empty()
                        : YamlFile.parse(Path.of("f"), yaml).root(),
                Annotated.class,
                Set.of());
    }

    @Test
    void anAbsentKeyHasItsDefault() throws Exception {
        assertThat(bind("-"))
                .isEqualTo(new Annotated(
                        Duration.ofSeconds(5), null, 7, null, null, null, null, List.of(), new Inner(Word.NO)));
        assertThat(bind("inner: {word: yes}\nlist:").inner().word()).isEqualTo(Word.YES);
    }

    @Test
    void aKeyThatAnotherExcludesHasNoDefault() throws Exception {
        assertThat(bind("minutes: 2").count()).isNull();
        assertThat(bind("list: [a]").count()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "time: 1ms | time: must be from 1s to 1h, got '1ms'",
                "time: soon | time: must be a duration such as 500ms, 30s, 5m or 1h30m, got 'soon'",
                "told: 1001 | told: must be a number from 1 to 1000, got 1001",
                "least: 0.4 | least: must be at least 0.5, got 0.4",
                "most: 25h | most: must be at most 1d, got '1d1h'",
                "orZero: 50ms | orZero: must be from 100ms to 1s, got '50ms'",
                "{minutes: 1, time: 1s} | minutes: must be absent with time, which says the same, got 1",
                "{count: 1, list: [a]} | count: must be absent with list, got 1",
                "list: 5 | list: must be a list, got 5",
                "list: [a, b] | list: must have one element at most, got 2",
            })
    void oneThingIsWrong(String yaml, String problem) {
        String message = null;
        try {
            bind(yaml);
        } catch (ConfigException e) {
            message = e.problems().stream().map(Problems.Problem::toString).collect(Collectors.joining("\n"));
        }
        assertThat(message).isEqualTo(problem);
    }

    @ParameterizedTest
    @CsvSource({"orZero: 0s", "orZero: 100ms", "time: 1h", "told: 1", "told: 1_000", "most: 24h", "least: 0.5"})
    void theEndsOfARangeBelongToIt(String yaml) throws Exception {
        assertThat(bind(yaml)).isNotNull();
    }
}
