package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.result.Calibration;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.Quantities;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Console text of a calibration: lines of at most 100 columns, during the calibration and at its end. */
final class CalibrationText {

    private static final String ROW = "  %-17s %17s %10s %10s %10s  %s";

    private CalibrationText() {}

    /** Returns the first line, which describes the machine. */
    static String place(Environment environment) {
        return format(
                "calibrating the harness on %s: %d processors, JDK %s, heap %d MiB",
                environment.host(), environment.processors(), environment.jdk(), environment.maxHeapMiB());
    }

    static String head() {
        return format(ROW, "rate", "achieved", "delay p50", "p99", "p99.9", "").stripTrailing();
    }

    static String trial(Calibration.Trial trial) {
        return format(
                ROW,
                Quantities.messageRate(trial.targetMsgPerSec()),
                Quantities.messageRate(trial.achievedMsgPerSec()),
                Quantities.latency(trial.sendDelayP50Ns()),
                Quantities.latency(trial.sendDelayP99Ns()),
                Quantities.latency(trial.sendDelayP999Ns()),
                trial.held() ? "held" : "not held");
    }

    /** Returns a warning that the figures are doubtful because the machine is busy. */
    static String busy(Calibration.MachineState machine) {
        String average =
                machine.loadAverage() == null ? "" : ", load average " + Quantities.number(machine.loadAverage());
        return format(
                "this machine is busy (other programs use %.0f %% of the processors' time, up to %s at once%s): the"
                        + " figures will be too low; calibrate again when the machine is idle",
                100 * machine.othersShare(), Quantities.latency(machine.longestStallNs()), average);
    }

    /** Returns the figures that follow the table. */
    static List<String> summary(Calibration calibration) {
        Calibration.Clock clock = calibration.clock();
        Calibration.Collections collections = calibration.collections();
        List<String> lines = new ArrayList<>();
        lines.add(format(
                "  ceiling       %s of one sending thread with a send delay p99 below 1 ms",
                Quantities.messageRate(calibration.ceilingMsgPerSec())));
        for (Calibration.Unlimited each : calibration.unlimited()) {
            boolean one = each.threads() == 1;
            lines.add(format(
                    one
                            ? "  unlimited     %d sending thread: %s, %.0f ns per message"
                            : "  unlimited     %d sending threads: %s, %.0f ns per message and thread",
                    each.threads(),
                    Quantities.messageRate(each.rateMsgPerSec()),
                    each.nsPerMessage()));
        }
        lines.add(format(
                "  clock         steps of %d ns (smallest %d ns), a reading takes %.0f ns",
                clock.typicalStepNs(), clock.smallestStepNs(), clock.readNs()));
        lines.add(format(
                "  collections   %d in %s, pauses of %d ms in total",
                collections.count(), Quantities.seconds(collections.seconds()), collections.pauseMs()));
        return lines;
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
