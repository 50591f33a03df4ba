package io.openmessaging.benchmark.measure;

import org.jspecify.annotations.Nullable;

/** What a sending thread counts. Written by the thread that made it. */
public final class PublishStats {

    private static final int MOST_READINGS = 1000;

    final Counter sent = new Counter();
    final Counter sentBytes = new Counter();
    final LatencyRecorder sendDelay = new LatencyRecorder();

    /** How long messages had waited that were due, but not sent when the load ended. */
    final Waits unsent = new Waits();

    /** Null if it is not kept when messages were sent. */
    final @Nullable LoadStamps stamps;

    PublishStats(@Nullable LoadStamps stamps) {
        this.stamps = stamps;
    }

    /** A message of a size is about to be handed to the client. */
    public void sent(int bytes, long intendedNs, long sentNs) {
        sentBytes.add(bytes);
        sent.add(1);
        if (sentNs == intendedNs) {
            sendDelay.recordZero();
        } else {
            sendDelay.record(sentNs - intendedNs);
        }
        if (stamps != null) {
            stamps.add(sentNs, sentNs);
        }
    }

    /** How many messages were handed to the client, or about to be. */
    public long sent() {
        return sent.get();
    }

    /**
     * Messages with the bytes of just these: both counts are read until no message came in between. Whoever sends faster than
     * that can be read is seen to the message or so.
     */
    Sent messagesAndBytes() {
        long messages = sent.get();
        long bytes = sentBytes.get();
        for (int i = 0; i < MOST_READINGS && sent.get() != messages; i++) {
            messages = sent.get();
            bytes = sentBytes.get();
        }
        return new Sent(messages, bytes);
    }

    /** Counts that belong together. */
    record Sent(long messages, long bytes) {}

    /** The load has ended, and so many messages that were due had not been sent, each after waiting for so long. */
    public void unsent(long waitNs, long messages) {
        unsent.add(waitNs, messages);
    }
}
