package io.openmessaging.benchmark.result;

import io.openmessaging.benchmark.worker.protocol.Ceilings;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the harness itself can do on this machine, with a driver that costs nothing: the state of a machine, not the
 * result of a run. Component names are the fields of the file.
 *
 * @param time when it was made
 * @param quick whether it was made with short measurements
 * @param ceilingMsgPerSec the highest rate of one sending thread that {@linkplain Trial#held held}
 * @param unlimited the rates without a schedule: of one sending thread, and where there are several processors, of one
 *     for each
 * @param trials the rates tried, in order, with one sending thread
 * @param clock the clock that everything is measured with
 * @param machine what else the machine did before the first load
 * @param collections what went into garbage collection, from the first load to the last
 * @param environment where it was made
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

    /** Options that change what is printed or how fast the JVM starts, but not how fast the harness is. */
    private static final List<String> OPTIONS_WITHOUT_EFFECT = List.of("-Xlog", "-Xshare", "-XX:SharedArchiveFile");

    public Calibration {
        unlimited = List.copyOf(unlimited);
        trials = List.copyOf(trials);
    }

    /**
     * As fast as it goes.
     *
     * @param threads sending threads
     * @param rateMsgPerSec of all of them together, published and received
     * @param nsPerMessage the time of a sending thread that a message takes
     */
    public record Unlimited(int threads, double rateMsgPerSec, double nsPerMessage) {

        /** From what was seen. */
        public static Unlimited of(int threads, double rateMsgPerSec) {
            return new Unlimited(threads, rateMsgPerSec, 1e9 * threads / rateMsgPerSec);
        }
    }

    /**
     * One rate.
     *
     * @param targetMsgPerSec what was asked for
     * @param achievedMsgPerSec what was published and received
     * @param sends how many messages the delays are of
     * @param sendDelayP50Ns from the intended to the actual send: the median
     * @param sendDelayP99Ns its 99th percentile
     * @param sendDelayP999Ns its 99.9th percentile
     * @param held whether the harness held the rate: it was achieved, and sends were in time
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
     * @param smallestStepNs the smallest difference between two readings in a row that was not zero
     * @param typicalStepNs the median of these differences
     * @param readNs what a reading takes
     */
    public record Clock(long smallestStepNs, long typicalStepNs, double readNs) {}

    /**
     * How quiet the machine was.
     *
     * @param loadAverage of the last minute; null where the system has none
     * @param othersShare the part of the processors' time that something else took from threads that wanted all of it
     * @param longestStallNs the longest time that one of these threads did not run
     * @param busy whether that is too much to trust the figures
     */
    public record MachineState(@Nullable Double loadAverage, double othersShare, long longestStallNs, boolean busy) {}

    /**
     * Garbage collection.
     *
     * @param count how many
     * @param pauseMs time spent in them, as the collectors report it
     * @param seconds in how much time
     */
    public record Collections(long count, long pauseMs, double seconds) {}

    /** What it says of the highest rates: of one thread, and by how much several were faster without a schedule. */
    public Ceilings ceilings() {
        Unlimited one = unlimited.get(0);
        Unlimited all = unlimited.get(unlimited.size() - 1);
        double speedUp = Math.min(all.threads(), Math.max(1, all.rateMsgPerSec() / one.rateMsgPerSec()));
        return new Ceilings(ceilingMsgPerSec, all.threads(), speedUp);
    }

    /** Why it says nothing about a process in another environment, as the end of a sentence; empty if it does. */
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
        return sameOptions
                ? Optional.empty()
                : Optional.of("it was made with another heap or other options of the JVM");
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
