package io.openmessaging.benchmark.measure;

import org.jspecify.annotations.Nullable;

/** The counts of one sending thread. Written by the thread that created it. */
public final class PublishStats {

    private static final int MOST_READINGS = 1000;

    final Counter sent = new Counter();
    final Counter sentBytes = new Counter();
    final LatencyRecorder sendDelay = new LatencyRecorder();

    /** Waiting times of messages that were due but not sent when the load ended. */
    final Waits unsent = new Waits();

    /** Null if the times of sends are not kept. */
    final @Nullable LoadStamps stamps;

    PublishStats(@Nullable LoadStamps stamps) {
        this.stamps = stamps;
    }

    /** Counts a message that is about to be handed to the client. */
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

    /** Returns the number of messages that were handed to the client, or are about to be. */
    public long sent() {
        return sent.get();
    }

    /**
     * Returns the number of messages and their total size: reads both counts until no message is counted in between.
     * The size may include one message that is just being counted; more only if the thread sends too fast.
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

    /** The two counts of one reading. */
    record Sent(long messages, long bytes) {}

    /** Counts messages that were due but not sent at the end of the load, each with its waiting time. */
    public void unsent(long waitNs, long messages) {
        unsent.add(waitNs, messages);
    }
}
