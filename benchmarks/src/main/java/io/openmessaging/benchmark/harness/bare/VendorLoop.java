package io.openmessaging.benchmark.harness.bare;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Sends as fast as a client accepts messages, on the calling thread, and counts acknowledged and received messages. */
abstract class VendorLoop {

    private static final int CLOCK_EVERY = 64;

    final LongAdder acknowledged = new LongAdder();
    final LongAdder received = new LongAdder();

    /** Sends a message; blocks while the client accepts none. */
    abstract void send() throws Exception;

    /** Prints one line, {@code published_per_s=… received_per_s=…}, for the time after the warm-up. */
    final void measure(long warmupNs, long measuredNs) throws Exception {
        sendFor(warmupNs);
        long acknowledgedBefore = acknowledged.sum();
        long receivedBefore = received.sum();
        long startNs = System.nanoTime();
        sendFor(measuredNs);
        double seconds = (System.nanoTime() - startNs) / (double) TimeUnit.SECONDS.toNanos(1);
        System.out.printf(
                Locale.ROOT,
                "published_per_s=%.0f received_per_s=%.0f%n",
                (acknowledged.sum() - acknowledgedBefore) / seconds,
                (received.sum() - receivedBefore) / seconds);
    }

    private void sendFor(long durationNs) throws Exception {
        long endNs = System.nanoTime() + durationNs;
        while (System.nanoTime() - endNs < 0) {
            for (int i = 0; i < CLOCK_EVERY; i++) {
                send();
            }
        }
    }
}
