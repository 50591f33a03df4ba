package io.openmessaging.benchmark.result;

import io.openmessaging.benchmark.worker.protocol.Ceilings;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The limits of the harness itself on this machine, measured with a driver that costs nothing: the state of a machine,
 * not the result of a run. Component names are the fields of the file.
 *
 * @param time time of the calibration
 * @param quick true if made with short measurements
 * @param ceilingMsgPerSec the highest rate of one sending thread that {@linkplain Trial#held held}
 * @param unlimited rates without a schedule: with one sending thread and, on several processors, with one per
 *     processor
 * @param trials the rates tried, in order, with one sending thread
 * @param clock the clock used for all measurements
 * @param machine activity of the machine before the first load
 * @param collections garbage collection from the first load to the last
 * @param environment where the calibration was made
 */
public record Calibration(
        Instant time,
        boolean quick,
        double ceilingMsgPerSec,
        List<Unlimited> unlimited,
        List<Trial> trials,
        Clock clock,
        MachineState machine,
        Collections collections,
        Environment environment) {

    /** Options that affect output or JVM startup, but not the speed of the harness. */
    private static final List<String> OPTIONS_WITHOUT_EFFECT = List.of("-Xlog", "-Xshare", "-XX:SharedArchiveFile");

    public Calibration {
        unlimited = List.copyOf(unlimited);
        trials = List.copyOf(trials);
    }

    /**
     * A measurement at full speed, without a schedule.
     *
     * @param threads number of sending threads
     * @param rateMsgPerSec rate of all threads together, published and received
     * @param nsPerMessage time of a sending thread per message
     */
    public record Unlimited(int threads, double rateMsgPerSec, double nsPerMessage) {

        /** Creates the record from the measured values. */
        public static Unlimited of(int threads, double rateMsgPerSec) {
            return new Unlimited(threads, rateMsgPerSec, 1e9 * threads / rateMsgPerSec);
        }
    }

    /**
     * One rate that was tried.
     *
     * @param targetMsgPerSec the rate requested
     * @param achievedMsgPerSec the rate published and received
     * @param sends number of messages behind the delays
     * @param sendDelayP50Ns median of the time from the intended to the actual send
     * @param sendDelayP99Ns 99th percentile of that time
     * @param sendDelayP999Ns 99.9th percentile of that time
     * @param held true if the harness achieved the rate and sent in time
     */
    public record Trial(
            double targetMsgPerSec,
            double achievedMsgPerSec,
            long sends,
            long sendDelayP50Ns,
            long sendDelayP99Ns,
            long sendDelayP999Ns,
            boolean held) {}

    /**
     * The clock, {@link System#nanoTime()}.
     *
     * @param smallestStepNs the smallest nonzero difference between two consecutive readings
     * @param typicalStepNs the median of these differences
     * @param readNs duration of a reading
     */
    public record Clock(long smallestStepNs, long typicalStepNs, double readNs) {}

    /**
     * How quiet the machine was.
     *
     * @param loadAverage load average of the last minute; null if the system has none
     * @param othersShare the part of the processors' time that others took from threads that wanted all of it
     * @param longestStallNs the longest time for which one of these threads did not run
     * @param busy true if the machine was too busy to trust the figures
     */
    public record MachineState(@Nullable Double loadAverage, double othersShare, long longestStallNs, boolean busy) {}

    /**
     * Garbage collection.
     *
     * @param count number of collections
     * @param pauseMs time spent in collections, as the collectors report it
     * @param seconds time span that was observed
     */
    public record Collections(long count, long pauseMs, double seconds) {}

    /** Returns the highest rates: of one thread, and the factor by which several were faster without a schedule. */
    public Ceilings ceilings() {
        Unlimited one = unlimited.get(0);
        Unlimited all = unlimited.get(unlimited.size() - 1);
        double speedUp = Math.min(all.threads(), Math.max(1, all.rateMsgPerSec() / one.rateMsgPerSec()));
        return new Ceilings(ceilingMsgPerSec, all.threads(), speedUp);
    }

    /**
     * Returns the reason that this calibration does not apply to a process in another environment, as the end of a
     * sentence; empty if it applies.
     */
    public Optional<String> mismatch(Environment here) {
        if (!environment.host().equals(here.host())) {
            return Optional.of("it was made on " + environment.host());
        }
        if (!environment.jdk().equals(here.jdk())) {
            return Optional.of("it was made with JDK " + environment.jdk());
        }
        if (environment.processors() != here.processors()) {
            return Optional.of("it was made with " + environment.processors() + " processors");
        }
        boolean sameOptions = environment.maxHeapMiB() == here.maxHeapMiB()
                && options(environment).equals(options(here));
        return sameOptions ? Optional.empty() : Optional.of("it was made with another heap size or other JVM options");
    }

    private static List<String> options(Environment environment) {
        Predicate<String> withoutEffect =
                option -> OPTIONS_WITHOUT_EFFECT.stream().anyMatch(option::startsWith);
        return environment.jvmOptions().stream()
                .filter(option -> option.startsWith("-X"))
                .filter(withoutEffect.negate())
                .sorted()
                .toList();
    }
}
