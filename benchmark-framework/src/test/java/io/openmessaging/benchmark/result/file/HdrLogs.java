package io.openmessaging.benchmark.result.file;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/** Reads interval logs. */
public final class HdrLogs {

    private HdrLogs() {}

    static HistogramLogReader reader(String log) {
        return new HistogramLogReader(new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)));
    }

    /** All intervals of a log, in its order. */
    public static List<Histogram> intervals(String log) {
        List<Histogram> intervals = new ArrayList<>();
        try (HistogramLogReader reader = reader(log)) {
            EncodableHistogram interval = reader.nextIntervalHistogram();
            while (interval != null) {
                intervals.add((Histogram) interval);
                interval = reader.nextIntervalHistogram();
            }
        }
        return intervals;
    }

    /** Number of samples in all intervals of a tag. */
    public static long added(List<Histogram> intervals, String tag) {
        return intervals.stream()
                .filter(interval -> tag.equals(interval.getTag()))
                .mapToLong(Histogram::getTotalCount)
                .sum();
    }
}
