package io.openmessaging.benchmark.measure;

/** What a sending thread counts. Written by the thread that made it. */
public class PublishStats {

    final Counter sent = new Counter();
    final LatencyRecorder sendDelay = new LatencyRecorder();

    PublishStats() {}

    /** A message is about to be handed to the client. */
    public void sent(long intendedNs, long sentNs) {
        sent.add(1);
        if (sentNs == intendedNs) {
            sendDelay.recordZero();
        } else {
            sendDelay.record(sentNs - intendedNs);
        }
    }

    /** Also keeps when the first and the last message were sent. */
    static final class Stamped extends PublishStats {

        /** Not padded: written once. */
        private volatile long firstSentNs;

        private final Counter lastSentNs = new Counter();

        @Override
        public void sent(long intendedNs, long sentNs) {
            super.sent(intendedNs, sentNs);
            if (lastSentNs.get() == 0) {
                firstSentNs = sentNs;
            }
            lastSentNs.set(sentNs);
        }

        boolean hasSent() {
            return lastSentNs.get() != 0;
        }

        long firstSentNs() {
            return firstSentNs;
        }

        long lastSentNs() {
            return lastSentNs.get();
        }
    }
}
