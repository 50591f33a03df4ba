package io.openmessaging.benchmark.measure;

import org.HdrHistogram.Histogram;

/**
 * Waiting times of messages, added many at a time: their sum may exceed a long. For data counted once, not with each
 * message. Thread-safe.
 */
final class Waits {

    private Histogram histogram = LatencySnapshot.newHistogram();
    private double sumNs;
    private long saturatedCount;

    /** Adds a number of messages with the same waiting time. */
    synchronized void add(long waitNs, long messages) {
        if (messages == 0) {
            return;
        }
        long valueNs = Math.min(waitNs, LatencyRecorder.MAX_NS);
        histogram.recordValueWithCount(valueNs, messages);
        sumNs += (double) valueNs * messages;
        saturatedCount += waitNs > valueNs ? messages : 0;
    }

    /** Returns what was added since the last call. */
    synchronized LatencySnapshot take() {
        LatencySnapshot taken = new LatencySnapshot(histogram, sumNs, 0, saturatedCount);
        histogram = LatencySnapshot.newHistogram();
        sumNs = 0;
        saturatedCount = 0;
        return taken;
    }
}
