package io.openmessaging.benchmark.measure;

/** What a sending thread counts. Written by the thread that made it. */
public final class PublishStats {

    final Counter sent = new Counter();
    final LatencyRecorder sendDelay = new LatencyRecorder();

    /** A message is about to be handed to the client. */
    public void sent(long intendedNs, long sentNs) {
        sent.add(1);
        if (sentNs == intendedNs) {
            sendDelay.recordZero();
        } else {
            sendDelay.record(sentNs - intendedNs);
        }
    }
}
