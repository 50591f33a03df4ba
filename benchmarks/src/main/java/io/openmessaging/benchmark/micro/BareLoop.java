package io.openmessaging.benchmark.micro;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.SingleWriterRecorder;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * The reference for the cost of a message: the minimum cost of measuring with existing tools. Two clock reads and three
 * latencies, recorded with HdrHistogram's recorder for one writer; no message, no schedule, no second thread.
 */
public class BareLoop extends NsPerCall {

    private static final int SIGNIFICANT_DIGITS = 3;
    private static final long HIGHEST_NS = TimeUnit.MINUTES.toNanos(1);

    private final SingleWriterRecorder publish = new SingleWriterRecorder(HIGHEST_NS, SIGNIFICANT_DIGITS);
    private final SingleWriterRecorder publishDelay = new SingleWriterRecorder(HIGHEST_NS, SIGNIFICANT_DIGITS);
    private final SingleWriterRecorder endToEnd = new SingleWriterRecorder(HIGHEST_NS, SIGNIFICANT_DIGITS);
    private long lastNs = System.nanoTime();

    /** Performs the work for one message. */
    @Benchmark
    public void message() {
        long sentNs = System.nanoTime();
        publishDelay.recordValue(sentNs - lastNs);
        long acknowledgedNs = System.nanoTime();
        publish.recordValue(acknowledgedNs - sentNs);
        endToEnd.recordValue(acknowledgedNs - sentNs);
        lastNs = acknowledgedNs;
    }
}
