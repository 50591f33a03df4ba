package io.openmessaging.benchmark.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordBinderTest {

    @TempDir
    Path folder;

    /** A record with one component of every type. */
    public record Everything(
            short s,
            int i,
            long l,
            float f,
            double d,
            boolean b,
            @Nullable Short boxedShort,
            @Nullable Integer boxedInt,
            @Nullable Long boxedLong,
            @Nullable Float boxedFloat,
            @Nullable Double boxedDouble,
            @Nullable Boolean boxedBoolean,
            @Nullable String text,
            @Nullable Duration duration,
            @Nullable TimeUnit constant,
            @Nullable Address own,
            @Nullable Inner inner,
            @Nullable List<String> texts,
            @Nullable List<Inner> inners,
            @Nullable Map<String, Integer> numbers,
            @Nullable Map<String, List<Duration>> deep) {}

    /** A nested record. */
    public record Inner(int number) {}

    /** A type with its own notation. */
    public static final class Address {
        private final String host;

        private Address(String host) {
            this.host = host;
        }

        /** Parses an at sign followed by the host. */
        public static Address parse(String text) {
            if (!text.startsWith("@")) {
                throw new IllegalArgumentException("must begin with @");
            }
            return new Address(text.substring(1));
        }
    }

    @Test
    void bindsEveryType() throws Exception {
        Everything bound = bind("""
                s: -7
                i: 1_000_000
                l: 9223372036854775807
                f: 1.5
                d: 1e-3
                b: True
                boxedShort: 7
                boxedInt: '42'
                boxedLong: +3
                boxedFloat: .5
                boxedDouble: 2
                boxedBoolean: false
                text: 1.10
                duration: 1h30m
                constant: seconds
                own: '@host'
                inner: {number: 1}
                texts: [a, 2, true]
                inners: [{number: 1}, {number: 2}]
                numbers: {b: 2, a: 1}
                deep: {one: [1s, 2ms]}
                """, Everything.class);

        Address own = bound.own();
        assertThat(own).isNotNull();
        assertThat(own.host).isEqualTo("host");
        assertThat(bound)
                .isEqualTo(new Everything(
                        (short) -7,
                        1_000_000,
                        Long.MAX_VALUE,
                        1.5f,
                        0.001,
                        true,
                        (short) 7,
                        42,
                        3L,
                        0.5f,
                        2.0,
                        false,
                        "1.10",
                        Duration.ofMinutes(90),
                        TimeUnit.SECONDS,
                        own,
                        new Inner(1),
                        List.of("a", "2", "true"),
                        List.of(new Inner(1), new Inner(2)),
                        Map.of("b", 2, "a", 1),
                        Map.of("one", List.of(Duration.ofSeconds(1), Duration.ofMillis(2)))));
        assertThat(bound.numbers()).isNotNull();
        assertThat(bound.numbers().keySet()).containsExactly("b", "a");
    }

    @Test
    void givesNullOrZeroForWhatIsAbsent() throws Exception {
        Everything nothing = new Everything(
                (short) 0, 0, 0, 0, 0, false, null, null, null, null, null, null, null, null, null, null, null, null,
                null, null, null);

        assertThat(bind("{}", Everything.class)).isEqualTo(nothing);
        assertThat(bind("{i: , text: , inner: ~, texts: null, numbers: }", Everything.class))
                .isEqualTo(nothing);
    }

    @Test
    void namesThePlaceOfAProblem() {
        refuses(
                """
                inner: {numbr: 1}
                inners: [{number: 1}, 2, {number: x}]
                numbers: {a: , b: c}
                deep: {one: [1s, 2]}
                own: host
                """,
                Everything.class,
                "own: must begin with @, got 'host'",
                "inner.numbr: unknown key, did you mean 'number'?",
                "inners[1]: must be a mapping of keys to values, got 2",
                "inners[2].number: must be a whole number, got 'x'",
                "numbers.a: must have a value",
                "numbers.b: must be a whole number, got 'c'",
                "deep.one[1]: must be a duration such as 500ms, 30s, 5m or 1h30m, got 2");
    }

    /** A record with two rules, one of them about both values. */
    public record Interval(int startHour, int endHour) implements Checked {
        @Override
        public void check(Problems problems) {
            problems.require(startHour >= 0, "startHour", "must be at least 0", startHour);
            problems.require(endHour > startHour, "endHour", "must be greater than startHour", endHour);
        }
    }

    /** A record that contains intervals. */
    public record Calendar(
            @Nullable Interval open, @Nullable Map<String, Interval> holidays) implements Checked {
        @Override
        public void check(Problems problems) {
            problems.require(open != null, "open", "must be an interval", null);
            problems.require(holidays == null || holidays.size() < 2, "holidays", "must be one at most", holidays);
        }
    }

    @Test
    void asksTheRecordsAtEveryDepth() {
        refuses(
                "{open: {startHour: -1, endHour: -2}, holidays: {xmas: {startHour: 24, endHour: 24}}}",
                Calendar.class,
                "open.startHour: must be at least 0, got -1",
                "open.endHour: must be greater than startHour, got -2",
                "holidays.xmas.endHour: must be greater than startHour, got 24");
    }

    @Test
    void saysOfAnAbsentKeyThatItIsMissing() {
        refuses("{startHour: 1}", Interval.class, "endHour: is missing, must be greater than startHour");
        refuses("{holidays: {}}", Calendar.class, "open: is missing, must be an interval");
    }

    @Test
    void leavesOutWhatFollowsFromAValueThatCouldNotBeBound() {
        refuses("{startHour: x, endHour: 0}", Interval.class, "startHour: must be a whole number, got 'x'");
        refuses("{startHour: 1, end_hour: 2}", Interval.class, "end_hour: unknown key, did you mean 'endHour'?");
    }

    @Test
    void reportsWhatHasNothingToDoWithAValueThatCouldNotBeBound() {
        refuses(
                "{startHour: -1, endHour: x}",
                Interval.class,
                "endHour: must be a whole number, got 'x'",
                "startHour: must be at least 0, got -1");
    }

    /** A record with a key that is also a word in the rule of another key. */
    public record Person(String name, int age) implements Checked {
        @Override
        public void check(Problems problems) {
            problems.require(age > 0, "age", "must be the age of a person with a name", age);
        }
    }

    @Test
    void doesNotTakeAWordForAKey() {
        refuses(
                "{name: [a], age: 0}",
                Person.class,
                "name: must be text, got a list",
                "age: must be the age of a person with a name, got 0");
    }

    /** A record whose constructor rejects odd numbers. */
    public record Even(int number) {
        public Even {
            if (number % 2 != 0) {
                throw new IllegalArgumentException("must be even");
            }
        }
    }

    /** A record whose components may be rejected by their own constructors. */
    public record Pair(@Nullable Even left, @Nullable Even right) {}

    @Test
    void reportsWhatAConstructorRefuses() {
        refuses("{number: 1}", Even.class, "must be even");
        refuses("{left: {number: 2}, right: {number: 3}}", Pair.class, "right: must be even");
    }

    /** A record whose constructor fails for an absent key. */
    public record Faulty(Integer number) {
        public Faulty {
            number.intValue();
        }
    }

    /** A record with a component of a type that cannot be read. */
    public record Unreadable(Thread thread) {}

    /** A record with a map that YAML does not have. */
    public record Numbered(Map<Integer, String> map) {}

    /** A record that is not public. */
    private record Hidden(int number) {}

    @Test
    void blamesARecordForItsOwnFaults() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bind("{}", Faulty.class))
                .withMessageContaining("Faulty")
                .withCauseInstanceOf(NullPointerException.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bind("{thread: 1}", Unreadable.class))
                .withMessageContaining("java.lang.Thread");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bind("{map: {1: a}}", Numbered.class))
                .withMessageContaining("java.util.Map<java.lang.Integer, java.lang.String>");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bind("{number: 1}", Hidden.class))
                .withMessageContaining("must be public");
    }

    @Test
    void givesListsAndMapsThatCannotBeChanged() throws Exception {
        Everything bound = bind("{texts: [a], numbers: {a: 1}}", Everything.class);

        assertThat(bound.texts()).isUnmodifiable();
        assertThat(bound.numbers()).isUnmodifiable();
    }

    @Test
    void bindsARecordOfAnotherClassLoader() throws Exception {
        Class<? extends Record> foreign =
                new OwnClasses().loadClass(Calendar.class.getName()).asSubclass(Record.class);
        assertThat(foreign).isNotSameAs(Calendar.class);

        Record bound = bind("{open: {startHour: 9, endHour: 17}}", foreign);

        assertThat(bound)
                .isInstanceOf(foreign)
                .hasToString("Calendar[open=Interval[startHour=9, endHour=17], holidays=null]");
        refuses("{open: {startHour: 9, endHour: 8}}", foreign, "open.endHour: must be greater than startHour, got 8");
    }

    /** Loads this test and its records once more, as a driver's class loader does with the driver's classes. */
    private static final class OwnClasses extends ClassLoader {
        OwnClasses() {
            super(RecordBinderTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            return name.startsWith(RecordBinderTest.class.getName()) ? define(name) : super.loadClass(name, resolve);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private <C extends Record> C bind(String yaml, Class<C> type) throws ConfigException, IOException {
        Path file = Files.writeString(folder.resolve("file.yaml"), yaml);
        return RecordBinder.bind(file, YamlFile.read(file).root(), type, Set.of());
    }

    private void refuses(String yaml, Class<? extends Record> type, String... messages) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> bind(yaml, type))
                .withMessage(Stream.of(messages)
                        .map(message -> folder.resolve("file.yaml") + ": " + message)
                        .collect(Collectors.joining("\n")));
    }
}
