package io.openmessaging.benchmark.measure;

import org.HdrHistogram.Histogram;

/**
 * How long messages have waited, many of them at a time: their sum may be beyond a long. For what is counted once and not
 * with each message. Thread-safe.
 */
final class Waits {

    private Histogram histogram = LatencySnapshot.newHistogram();
    private double sumNs;
    private long saturatedCount;

    /** So many messages have waited for so long. */
    synchronized void add(long waitNs, long messages) {
        if (messages == 0) {
            return;
        }
        long valueNs = Math.min(waitNs, LatencyRecorder.MAX_NS);
        histogram.recordValueWithCount(valueNs, messages);
        sumNs += (double) valueNs * messages;
        saturatedCount += waitNs > valueNs ? messages : 0;
    }

    /** What was added since the last call. */
    synchronized LatencySnapshot take() {
        LatencySnapshot taken = new LatencySnapshot(histogram, sumNs, 0, saturatedCount);
        histogram = LatencySnapshot.newHistogram();
        sumNs = 0;
        saturatedCount = 0;
        return taken;
    }
}
