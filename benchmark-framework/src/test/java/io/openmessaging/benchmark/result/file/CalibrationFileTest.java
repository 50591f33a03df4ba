package io.openmessaging.benchmark.result.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.result.Calibration;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.GoldenFile;
import io.openmessaging.benchmark.result.ResultFixture;
import io.openmessaging.benchmark.result.compare.ResultsCsv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CalibrationFileTest {

    private static final Environment HERE = ResultFixture.ENVIRONMENT;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private final List<String> ignored = new ArrayList<>();

    private Path file() {
        return folder.resolve("calibration.json");
    }

    @Test
    void isAsSealed() throws IOException {
        GoldenFile.assertSame("calibration.json", CalibrationFile.render(ResultFixture.calibration()));
    }

    @Test
    void readsWhatItHasWritten() throws Exception {
        Calibration calibration = ResultFixture.calibration();
        CalibrationFile.write(file(), calibration);

        Optional<Calibration> read = CalibrationFile.readFor(HERE, file(), ignored::add);

        assertThat(ignored).isEmpty();
        // Everything is read back except the password, which the file omits.
        assertThat(CalibrationFile.render(read.orElseThrow())).isEqualTo(CalibrationFile.render(calibration));
        assertThat(read.orElseThrow().trials()).isEqualTo(calibration.trials());
        assertThat(Files.readString(file())).doesNotContain("changeit");
    }

    @Test
    void aFileThatIsNotThereIsNoReasonToSayAnything() {
        assertThat(CalibrationFile.readFor(HERE, file(), ignored::add)).isEmpty();
        assertThat(ignored).isEmpty();
    }

    static Stream<Arguments> otherEnvironments() {
        return Stream.of(
                Arguments.of(environment("elsewhere", 8, HERE.jdk(), "-Xmx1g", 1024), "it was made on bench-host;"),
                Arguments.of(environment(HERE.host(), 4, HERE.jdk(), "-Xmx1g", 1024), "it was made with 8 processors;"),
                Arguments.of(
                        environment(HERE.host(), 8, "Example Vendor 21+35", "-Xmx1g", 1024),
                        "it was made with JDK Example Vendor 17.0.12+7;"),
                Arguments.of(
                        environment(HERE.host(), 8, HERE.jdk(), "-Xmx1g", 512),
                        "another heap size or other JVM options"),
                Arguments.of(
                        environment(HERE.host(), 8, HERE.jdk(), "-XX:+UseParallelGC", 1024),
                        "another heap size or other JVM options"));
    }

    private static Environment environment(String host, int processors, String jdk, String option, long maxHeapMiB) {
        return new Environment(
                "0.2.0", host, "Linux", "Example CPU", processors, 1, jdk, List.of(option), maxHeapMiB, "");
    }

    @ParameterizedTest
    @MethodSource("otherEnvironments")
    void whatDoesNotFitIsIgnoredWithOneLine(Environment here, String reason) throws Exception {
        CalibrationFile.write(file(), ResultFixture.calibration());

        assertThat(CalibrationFile.readFor(here, file(), ignored::add)).isEmpty();
        assertThat(ignored).hasSize(1);
        assertThat(ignored.get(0)).startsWith(file() + " is ignored: ").contains(reason);
    }

    @Test
    void optionsWithoutEffectMakeNoDifference() throws Exception {
        CalibrationFile.write(file(), ResultFixture.calibration());
        Environment here = new Environment(
                "0.1.0",
                HERE.host(),
                HERE.os(),
                HERE.cpu(),
                8,
                32_000,
                HERE.jdk(),
                List.of("-Dx=y", "-Xlog:gc", "-XX:SharedArchiveFile=benchmark.jsa", "-Xmx1g"),
                1024,
                "");

        assertThat(CalibrationFile.readFor(here, file(), ignored::add)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{}", "{\"kind\": \"calibration\", \"schemaVersion\": 2}"})
    void whatIsNoCalibrationIsIgnoredWithOneLine(String text) throws Exception {
        Files.writeString(file(), text);

        assertThat(CalibrationFile.readFor(HERE, file(), ignored::add)).isEmpty();
        assertThat(ignored).containsExactly(file() + " is ignored: this version cannot read its format");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ceilingMsgPerSec", "unlimited", "environment", "machine"})
    void aCalibrationWithoutAFieldIsIgnored(String field) throws Exception {
        Files.writeString(
                file(), CalibrationFile.render(ResultFixture.calibration()).replace("\"" + field + "\"", "\"other\""));

        assertThat(CalibrationFile.readFor(HERE, file(), ignored::add)).isEmpty();
        assertThat(ignored).hasSize(1);
    }

    @Test
    void aCeilingOfZeroIsIgnored() throws Exception {
        Files.writeString(
                file(), CalibrationFile.render(ResultFixture.calibration()).replace("4000000.0", "0.0"));

        assertThat(CalibrationFile.readFor(HERE, file(), ignored::add)).isEmpty();
        assertThat(ignored).hasSize(1);
    }

    @Test
    void aFolderThatCannotBeReadAsAFileIsIgnoredWithOneLine() throws Exception {
        Files.createDirectory(file());

        assertThat(CalibrationFile.readFor(HERE, file(), ignored::add)).isEmpty();
        assertThat(ignored).hasSize(1);
        assertThat(ignored.get(0)).startsWith(file() + " is ignored: it cannot be read: ");
    }

    @Test
    void overwritesACalibrationAndNothingElse() throws Exception {
        CalibrationFile.write(file(), ResultFixture.calibration());
        assertThatCode(() -> CalibrationFile.check(file())).doesNotThrowAnyException();

        Path other = Files.writeString(folder.resolve("workload.yaml"), "topics: 1\n");
        assertThatThrownBy(() -> CalibrationFile.check(other))
                .isInstanceOf(ResultFileException.class)
                .hasMessage(other + ": exists, is not a calibration, and would be overwritten; name another file, or"
                        + " remove it");
        assertThatThrownBy(() -> CalibrationFile.check(folder))
                .isInstanceOf(ResultFileException.class)
                .hasMessageContaining("is a folder");
    }

    @Test
    void theCheckCreatesTheFolderAndLeavesNothingInIt() throws Exception {
        CalibrationFile.check(folder.resolve("new/calibration.json"));

        try (Stream<Path> files = Files.list(folder.resolve("new"))) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void theTableOfResultsPassesOverItInSilence() throws Exception {
        CalibrationFile.write(file(), ResultFixture.calibration());

        assertThat(ResultsCsv.write(folder, folder.resolve("results.csv")))
                .isEqualTo(new ResultsCsv.Written(0, 0, List.of()));
    }
}
