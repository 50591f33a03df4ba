package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.calibrate.CalibrationException;
import io.openmessaging.benchmark.calibrate.Calibrator;
import io.openmessaging.benchmark.calibrate.Calibrator.CalibratedLoad;
import io.openmessaging.benchmark.calibrate.Calibrator.CalibrationListener;
import io.openmessaging.benchmark.calibrate.Calibrator.Effort;
import io.openmessaging.benchmark.calibrate.InMemoryHarness;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.LogFile;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.result.Calibration;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.file.CalibrationFile;
import io.openmessaging.benchmark.result.file.ResultFileException;
import io.openmessaging.benchmark.run.StopSignal;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of {@code bin/benchmark calibrate}. */
@Command(
        name = CalibrateCommand.NAME,
        mixinStandardHelpOptions = true,
        versionProvider = Installation.BuildVersion.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Measures what the harness itself can do on this machine, with a driver that costs nothing: messages of 100"
                    + " bytes at increasing rates, then as fast as possible. Takes less than a minute.",
            "",
            "Later runs in this folder compare their rate with the ceiling found here and warn when they come near it."
        },
        footer = {
            "",
            "Exit code: 0 calibrated, 1 calibration failed, 2 bad arguments, 130 ended by Ctrl-C (nothing is written).",
            "",
            "  bin/benchmark calibrate"
        })
final class CalibrateCommand implements Callable<Integer>, CalibrationListener {

    static final String NAME = "calibrate";

    /** Prepares the harness to calibrate; replaced in a test. */
    @FunctionalInterface
    interface HarnessFactory {
        CalibratedLoad make(Environment environment, StopSignal stop) throws ConfigException;
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(names = "--quick", description = "Takes about 10 seconds: the measurements are shorter and rougher.")
    private boolean quick;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = {
                "Where the figures go; default: results/calibration.json, where runs look for them.",
                "An existing calibration is overwritten: it describes the state of this machine, not the result of"
                        + " a run."
            })
    private @Nullable Path output;

    private final StopSignal stop;
    private final Path currentFolder;
    private final HarnessFactory harnesses;

    /**
     * Creates a command that is not parsed yet.
     *
     * @param stop requests the end
     * @param currentFolder contains the folder of the results
     */
    CalibrateCommand(StopSignal stop, Path currentFolder) {
        this(
                stop,
                currentFolder,
                (environment, signal) ->
                        InMemoryHarness.in(Installation.fromSystemProperties().drivers(), environment, signal));
    }

    CalibrateCommand(StopSignal stop, Path currentFolder, HarnessFactory harnesses) {
        this.stop = stop;
        this.currentFolder = currentFolder;
        this.harnesses = harnesses;
    }

    @Override
    public Integer call() throws UserException, ResultFileException {
        Path results = currentFolder.resolve("results");
        Path file = output == null ? results.resolve(CalibrationFile.NAME) : output;
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        Environment environment = Environment.here(Installation.version(), new EpochClock().description());
        CalibratedLoad harness = harness(environment);
        CalibrationFile.check(file);
        LogFile.open(results.resolve("benchmark.log"));
        try {
            out.println(CalibrationText.place(environment));
            Effort effort = quick ? Effort.brief() : Effort.standard();
            Calibration calibration =
                    new Calibrator(harness, effort, environment.processors(), this).calibrate(environment);
            CalibrationText.summary(calibration).forEach(out::println);
            CalibrationFile.write(file, calibration);
            String used = output == null ? "; runs started in this folder compare their rate with it" : "";
            out.println("written to " + file + used);
            return ExitCode.OK;
        } catch (CalibrationException | ResultFileException e) {
            err.println("benchmark: " + e.getMessage());
            return ExitCode.FAILED;
        } catch (InterruptedException e) {
            err.println("benchmark: interrupted, no calibration was written");
            return ExitCode.INTERRUPTED;
        }
    }

    private CalibratedLoad harness(Environment environment) throws UserException {
        try {
            return harnesses.make(environment, stop);
        } catch (ConfigException e) {
            throw new UserException("benchmark: the in-memory driver is needed: " + e.getMessage());
        }
    }

    @Override
    public void machine(Calibration.MachineState machine) {
        if (machine.busy()) {
            spec.commandLine().getErr().println("warning: " + CalibrationText.busy(machine));
        }
        spec.commandLine().getOut().println(CalibrationText.head());
    }

    @Override
    public void trial(Calibration.Trial trial) {
        spec.commandLine().getOut().println(CalibrationText.trial(trial));
    }
}
