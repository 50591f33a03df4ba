package io.openmessaging.benchmark.driver.testkit.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DriverConfigsTest {

    /** Keys of every type that drivers use. */
    public record Sample(
            @Nullable String text,
            @Nullable Integer number,
            int primitive,
            @Nullable Long wide,
            @Nullable Boolean flag,
            boolean primitiveFlag,
            @Nullable TimeUnit unit,
            @Nullable Duration duration,
            @Nullable List<String> list,
            @Nullable Map<String, String> map,
            @Nullable Part part,
            @Default("7") @Range(from = "1", to = "9") int preset)
            implements Checked {

        /** Not a component. */
        public boolean isOdd() {
            return primitive % 2 != 0;
        }

        @Override
        public void check(Problems problems) {
            problems.require(primitive >= 0, "primitive", "must be at least 0", primitive);
            if (part != null) {
                part.check(problems.below("part"));
            }
        }
    }

    /** A nested record. */
    public record Part(int size, @Range(to = "3") int most) implements Checked {

        @Override
        public void check(Problems problems) {
            problems.require(size >= 1, "size", "must be at least 1", size);
        }
    }

    private static Sample bind(String yaml) {
        return DriverConfigs.bind(Sample.class, yaml);
    }

    @Test
    void everyTypeIsBound() {
        assertThat(bind("""
                        text: hello
                        number: 1
                        primitive: 2
                        wide: 3
                        flag: true
                        primitiveFlag: true
                        unit: seconds
                        duration: 1m30s
                        list: [a, b]
                        map: {k: 4}
                        part: {size: 5}
                        preset: 8
                        """))
                .isEqualTo(new Sample(
                        "hello",
                        1,
                        2,
                        3L,
                        true,
                        true,
                        TimeUnit.SECONDS,
                        Duration.ofSeconds(90),
                        List.of("a", "b"),
                        Map.of("k", "4"),
                        new Part(5, 0),
                        8));
    }

    @Test
    void whatIsAbsentHasItsDefaultOrIsNullOrZeroOrFalse() {
        Sample absent = new Sample(null, null, 0, null, null, false, null, null, null, null, null, 7);
        assertThat(bind("")).isEqualTo(absent);
        assertThat(bind("primitive:\nprimitiveFlag: null\nlist:")).isEqualTo(absent);
    }

    @Test
    void valuesMayHaveTheTypesOfTheirComponents() {
        Map<String, Object> values =
                Map.of("unit", TimeUnit.DAYS, "duration", Duration.ofMillis(1500), "wide", 3L, "part", new Part(5, 0));
        Sample bound = DriverConfigs.bind(Sample.class, values);
        assertThat(bound)
                .returns(TimeUnit.DAYS, Sample::unit)
                .returns(Duration.ofMillis(1500), Sample::duration)
                .returns(3L, Sample::wide)
                .returns(new Part(5, 0), Sample::part);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "txet: hello",
                "odd: true",
                "part: {siez: 1}",
                "number: many",
                "number: 1.5",
                "flag: maybe",
                "unit: fortnights",
                "list: {a: b}",
                "part: 1"
            })
    void whatDoesNotFitIsRefusedWithItsKey(String yaml) {
        String key = yaml.contains("siez") ? "part.siez" : yaml.substring(0, yaml.indexOf(':'));
        assertThatIllegalArgumentException().isThrownBy(() -> bind(yaml)).withMessageContaining(": " + key + ": ");
    }

    @Test
    void problemsAreThoseOfAllRecordsEachOnce() {
        assertThat(DriverConfigs.problemsOf(bind("primitive: -1\npart: {size: 0, most: 4}\npreset: 0")))
                .containsExactlyInAnyOrder(
                        "primitive: must be at least 0, got -1",
                        "part.size: must be at least 1, got 0",
                        "part.most: must be at most 3, got 4",
                        "preset: must be a number from 1 to 9, got 0");
        assertThat(DriverConfigs.problemsOf(bind("part: {size: 1}"))).isEmpty();
    }
}
