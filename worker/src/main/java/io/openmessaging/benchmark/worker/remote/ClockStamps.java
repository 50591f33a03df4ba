package io.openmessaging.benchmark.worker.remote;

/**
 * A question to a worker's clock, epoch nanoseconds.
 *
 * @param sentNs when it was sent, by the coordinator's clock (T1)
 * @param receivedNs when the worker had read it, by its own clock (T2)
 * @param answeredNs just before the worker answered, by its own clock (T3)
 * @param arrivedNs when the answer had come, by the coordinator's clock (T4)
 */
public record ClockStamps(long sentNs, long receivedNs, long answeredNs, long arrivedNs) {

    /** The time on the way, there and back, without that at the worker. */
    public long roundTripNs() {
        return arrivedNs - sentNs - (answeredNs - receivedNs);
    }
}
