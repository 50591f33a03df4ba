package io.openmessaging.benchmark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.calibrate.Calibrator.CalibratedLoad;
import io.openmessaging.benchmark.calibrate.FakeHarness;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.result.Calibration;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.file.CalibrationFile;
import io.openmessaging.benchmark.run.StopSignal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import picocli.CommandLine;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
final class CalibrateCommandTest {

    private static final double LIMIT_MSG_PER_SEC = 1_500_000;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private final StopSignal stop = new StopSignal();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private Path usualFile() {
        return folder.resolve("results").resolve(CalibrationFile.NAME);
    }

    private int run(CalibratedLoad harness, String... arguments) {
        return new CommandLine(new CalibrateCommand(stop, folder, (environment, signal) -> harness))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private int runAsMainDoes(String... arguments) {
        return Main.commandLine(stop, Path.of(""), arguments)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    @Test
    void printsTheFiguresAndWritesWhatRunsRead() {
        int exitCode = run(new FakeHarness(LIMIT_MSG_PER_SEC), "--quick");

        assertThat(exitCode).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains("calibrating the harness on ", "1,000 msg/s ", "ceiling ", "unlimited ", "clock ")
                .endsWith("written to " + usualFile() + "; runs started in this folder compare their rate with it"
                        + System.lineSeparator());
        Optional<Calibration> read = CalibrationFile.readFor(
                Environment.here(Installation.version(), ""),
                usualFile(),
                reason -> assertThat(reason).isEmpty());
        assertThat(read.orElseThrow().quick()).isTrue();
        assertThat(read.orElseThrow().ceilingMsgPerSec()).isBetween(LIMIT_MSG_PER_SEC / 1.12, LIMIT_MSG_PER_SEC * 1.02);
    }

    @Test
    void overwritesTheCalibrationThatWasThere() throws Exception {
        Path file = folder.resolve("mine.json");
        run(new FakeHarness(4 * LIMIT_MSG_PER_SEC), "--quick", "-o", file.toString());
        String before = Files.readString(file);

        assertThat(run(new FakeHarness(LIMIT_MSG_PER_SEC), "--quick", "--output", file.toString()))
                .isZero();
        assertThat(Files.readString(file)).isNotEqualTo(before);
        assertThat(usualFile()).doesNotExist();
    }

    @Test
    void aFileThatIsSomethingElseIsRefused() throws Exception {
        Path workload = Files.writeString(folder.resolve("workload.yaml"), "topics: 1\n");

        int exitCode = Main.commandLine(stop, Path.of(""))
                .addSubcommand(new CalibrateCommand(stop, folder, (environment, signal) -> new FakeHarness(1e6)))
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler((e, failed, parsed) -> Main.reportError(e, failed, "benchmark"))
                .execute("calibrate", "-o", workload.toString());

        assertThat(exitCode).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err.toString()).startsWith("benchmark: " + workload + ": exists, is not a calibration");
        assertThat(Files.readString(workload)).isEqualTo("topics: 1\n");
    }

    @Test
    void aHarnessThatHoldsNoRateFailsAndWritesNothing() {
        assertThat(run(new FakeHarness(100), "--quick")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("benchmark: no rate was sustained");
        assertThat(usualFile()).doesNotExist();
    }

    @Test
    void ctrlCEndsItAndNothingIsWritten() {
        FakeHarness harness = new FakeHarness(LIMIT_MSG_PER_SEC);
        CalibratedLoad interrupted = (rate, topics, settle, observe) -> {
            if (rate.toString().startsWith("100000")) {
                throw new InterruptedException("a stop was requested");
            }
            return harness.load(rate, topics, settle, observe);
        };

        assertThat(run(interrupted, "--quick")).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(err.toString()).contains("benchmark: interrupted, no calibration was written");
        assertThat(usualFile()).doesNotExist();
    }

    @Test
    void withoutTheInMemoryDriverItIsRefusedInOneSentence() {
        String before = System.getProperty("benchmark.distribution");
        System.setProperty("benchmark.distribution", folder.toString());
        try {
            assertThat(runAsMainDoes(
                            "calibrate",
                            "--quick",
                            "-o",
                            folder.resolve("x.json").toString()))
                    .isEqualTo(ExitCode.BAD_INPUT);
        } finally {
            if (before == null) {
                System.clearProperty("benchmark.distribution");
            } else {
                System.setProperty("benchmark.distribution", before);
            }
        }
        assertThat(err.toString())
                .startsWith("benchmark: the in-memory driver is needed: ")
                .doesNotContain("\tat ");
        assertThat(folder.resolve("x.json")).doesNotExist();
    }

    @Test
    void anUnknownOptionIsRefused() {
        assertThat(runAsMainDoes("calibrate", "--quik")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(err.toString()).contains("--quik");
    }

    @Test
    void itsHelpSaysThatTheFileIsOverwritten() {
        assertThat(runAsMainDoes("calibrate", "--help")).isZero();
        assertThat(out.toString()).contains("Usage: benchmark calibrate", "overwritten", "--quick");
    }

    @Test
    void isNoCommandUnlessItComesFirst() {
        assertThat(Main.commandLine(stop, Path.of(""), "calibrate").getSubcommands())
                .containsOnlyKeys("calibrate");
        assertThat(Main.commandLine(stop, Path.of(""), "-d", "calibrate").getSubcommands())
                .isEmpty();
        assertThat(Main.commandLine(stop, Path.of("")).getSubcommands()).isEmpty();
    }
}
