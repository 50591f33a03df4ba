package io.openmessaging.benchmark.measure;

/** What a sending thread counts. Written by the thread that made it. */
public class PublishStats {

    final Counter sent = new Counter();
    final LatencyRecorder sendDelay = new LatencyRecorder();

    /** How long messages had waited that were due, but not sent when the load ended. */
    final Waits unsent = new Waits();

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

    /** How many messages were handed to the client, or about to be. */
    public long sent() {
        return sent.get();
    }

    /** The load has ended, and so many messages that were due had not been sent, each after waiting for so long. */
    public void unsent(long waitNs, long messages) {
        unsent.add(waitNs, messages);
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
