package io.openmessaging.benchmark.result.file;

import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.RunResult;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The histograms of all periods in HdrHistogram's interval log format, for its tools and for questions that the result
 * file does not answer. Values are nanoseconds. A tag names the phase and latency of an interval, such as
 * {@code measure-publish} or {@code warmup-endToEnd}; a latency that was not measured in a phase has no intervals
 * there.
 */
public final class HdrLog {

    static final String WARMUP = "warmup";
    static final String MEASURE = "measure";
    static final String TAIL = "tail";

    private HdrLog() {}

    /** Returns the log of all workers together. */
    public static String render(RunResult result) {
        return render(result, "", period -> period);
    }

    /**
     * Returns the log of one worker: the same intervals, each over the worker's own span of the period, until it was
     * lost. Only the log of all workers has the messages that were never answered or received.
     *
     * @param worker index of the worker
     * @throws IndexOutOfBoundsException if the run did not keep the figures of each worker
     */
    public static String render(RunResult result, int worker) {
        String name = result.workers().get(worker).machine().name();
        return render(
                result,
                ", " + name + " alone",
                period -> period.ofWorkers().get(worker).open());
    }

    private static String render(RunResult result, String whose, UnaryOperator<PeriodSnapshot> seen) {
        // Render in memory first: the log writer's stream would swallow the error of a full disk.
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        HistogramLogWriter log = new HistogramLogWriter(bytes);
        long beginMs = TimeUnit.NANOSECONDS.toMillis(result.beginNs());
        log.outputComment(
                "[Run " + result.runId() + whose + ". Values are nanoseconds. Tags are phase-latency, with phases "
                        + WARMUP + ", " + MEASURE + " and " + TAIL
                        + " (after it, including messages never sent) and the latencies named as in the result file.]");
        log.outputLogFormatVersion();
        log.outputStartTime(beginMs);
        log.setBaseTime(beginMs);
        log.outputBaseTime(beginMs);
        log.outputLegend();
        append(log, WARMUP, result.warmup(), seen);
        append(log, MEASURE, result.measured(), seen);
        RunResult.Tail tail = result.course().tail();
        append(log, TAIL, tail == null ? List.of() : List.of(tail.seen()), seen);
        log.close();
        return bytes.toString(StandardCharsets.UTF_8);
    }

    static String tag(String phase, Latency latency) {
        return phase + "-" + latency.label();
    }

    private static void append(
            HistogramLogWriter log, String phase, List<PeriodSnapshot> periods, UnaryOperator<PeriodSnapshot> seen) {
        List<Latency> measured = Stream.of(Latency.values())
                .filter(latency -> periods.stream()
                        .anyMatch(period -> period.latency(latency).count() > 0))
                .toList();
        for (PeriodSnapshot all : periods) {
            PeriodSnapshot period = seen.apply(all);
            for (Latency latency : measured) {
                boolean isLost = period.endNs() == period.startNs()
                        && period.latency(latency).count() == 0;
                if (!isLost) {
                    log.outputIntervalHistogram(interval(period, latency, tag(phase, latency)));
                }
            }
        }
    }

    /** Returns a copy, because tag and times are set on the histogram itself. */
    private static Histogram interval(PeriodSnapshot period, Latency latency, String tag) {
        Histogram interval = period.latency(latency).histogram().copy();
        interval.setTag(tag);
        interval.setStartTimeStamp(TimeUnit.NANOSECONDS.toMillis(period.startNs()));
        interval.setEndTimeStamp(TimeUnit.NANOSECONDS.toMillis(period.endNs()));
        return interval;
    }
}
