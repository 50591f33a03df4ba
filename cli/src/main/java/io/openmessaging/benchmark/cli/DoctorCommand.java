package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.cli.doctor.Check;
import io.openmessaging.benchmark.cli.doctor.Check.CheckState;
import io.openmessaging.benchmark.cli.doctor.Doctor;
import io.openmessaging.benchmark.cli.doctor.MachineChecks;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.cli.process.Installation;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code bin/benchmark doctor}. */
@Command(
        name = DoctorCommand.NAME,
        mixinStandardHelpOptions = true,
        versionProvider = Installation.BuildVersion.class,
        usageHelpAutoWidth = true,
        description = {
            "Checks whether this machine is fit to measure on, and what would make figures untrustworthy: clock, processors,"
                    + " memory, limits, disk, and which local brokers can be started. Takes some three seconds.",
        },
        footer = {"", "Exit code: 0 fit, perhaps with warnings, 1 unfit.", "", "  bin/benchmark doctor"})
final class DoctorCommand implements Callable<Integer> {

    static final String NAME = "doctor";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private final Path currentFolder;

    /** Creates the command; results are in a subfolder of that folder. */
    DoctorCommand(Path currentFolder) {
        this.currentFolder = currentFolder;
    }

    @Override
    public Integer call() throws InterruptedException {
        List<LocalBroker> brokers = LocalBroker.installed().stream()
                .sorted(Comparator.comparing(LocalBroker::name))
                .toList();
        List<Check> checks =
                new Doctor(new MachineChecks(Path.of("/")), Doctor.writtenTo(currentFolder), brokers).examine();
        PrintWriter out = spec.commandLine().getOut();
        checks.forEach(check -> out.println(
                String.format(Locale.ROOT, "%-6s %-12s %s", check.state().label(), check.subject(), check.text())));
        long warnings = count(checks, CheckState.WARNING);
        long unfit = count(checks, CheckState.UNFIT);
        out.println();
        out.println(
                unfit > 0
                        ? "This machine is not fit to measure on."
                        : "This machine is fit to measure on"
                                + (warnings == 0
                                        ? "."
                                        : ", with " + warnings + (warnings > 1 ? " warnings." : " warning.")));
        return unfit > 0 ? ExitCode.FAILED : ExitCode.OK;
    }

    private static long count(List<Check> checks, CheckState state) {
        return checks.stream().filter(check -> check.state() == state).count();
    }
}
