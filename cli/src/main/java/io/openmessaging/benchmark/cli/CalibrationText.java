package io.openmessaging.benchmark.calibrate;

import io.openmessaging.benchmark.result.Calibration;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.Quantities;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What a person reads of a calibration: lines of at most 100 columns, as it goes on and at its end. */
public final class CalibrationText {

    private static final String ROW = "  %-17s %17s %10s %10s %10s  %s";
    private static final String LABEL = "  %-13s %s";

    private CalibrationText() {}

    /** Where it takes place. */
    public static String place(Environment environment) {
        return format(
                "calibrating the harness on %s: %d processors, JDK %s, heap %d MiB",
                environment.host(), environment.processors(), environment.jdk(), environment.maxHeapMiB());
    }

    /** The head of the table. */
    public static String head() {
        return format(ROW, "rate", "achieved", "delay p50", "p99", "p99.9", "").stripTrailing();
    }

    /** A row of the table. */
    public static String trial(Calibration.Trial trial) {
        return format(
                ROW,
                Quantities.messageRate(trial.targetMsgPerSec()),
                Quantities.messageRate(trial.achievedMsgPerSec()),
                Quantities.latency(trial.sendDelayP50Ns()),
                Quantities.latency(trial.sendDelayP99Ns()),
                Quantities.latency(trial.sendDelayP999Ns()),
                trial.held() ? "held" : "not held");
    }

    /** What makes the figures doubtful. */
    public static String busy(Calibration.Machine machine) {
        String average =
                machine.loadAverage() == null ? "" : ", load average " + Quantities.number(machine.loadAverage());
        return format(
                "this machine is busy (something else takes %.0f %% of the processors' time, up to %s at once%s): the figures will be too"
                        + " low; calibrate again when it is quiet",
                100 * machine.othersShare(), Quantities.latency(machine.longestStallNs()), average);
    }

    /** The figures that follow the table. */
    public static List<String> summary(Calibration calibration) {
        Calibration.Clock clock = calibration.clock();
        Calibration.Collections collections = calibration.collections();
        List<String> unlimited = calibration.unlimited().stream()
                .map(one -> format(
                        LABEL,
                        "unlimited",
                        format(
                                "%d sending thread%s: %s, %.0f ns a message%s",
                                one.threads(),
                                one.threads() == 1 ? "" : "s",
                                Quantities.messageRate(one.rateMsgPerSec()),
                                one.nsPerMessage(),
                                one.threads() == 1 ? "" : " and thread")))
                .toList();
        return Stream.of(
                        List.of(format(
                                LABEL,
                                "ceiling",
                                format(
                                        "%s of one sending thread with a send delay p99 below 1 ms",
                                        Quantities.messageRate(calibration.ceilingMsgPerSec())))),
                        unlimited,
                        List.of(
                                format(
                                        LABEL,
                                        "clock",
                                        format(
                                                "steps of %d ns (smallest %d ns), a reading takes %.0f ns",
                                                clock.typicalStepNs(), clock.smallestStepNs(), clock.readNs())),
                                format(
                                        LABEL,
                                        "collections",
                                        format(
                                                "%d in %s, pauses of %d ms together",
                                                collections.count(),
                                                Quantities.seconds(collections.seconds()),
                                                collections.pauseMs()))))
                .flatMap(List::stream)
                .toList();
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
