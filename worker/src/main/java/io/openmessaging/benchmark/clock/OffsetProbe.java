package io.openmessaging.benchmark.clock;

/**
 * The four stamps of a question and its answer, epoch nanoseconds.
 *
 * @param sentNs when the coordinator sent the question, by its own clock (T1)
 * @param receivedNs when the worker received it, by the worker's clock (T2)
 * @param answeredNs when the worker answered, by the worker's clock (T3)
 * @param arrivedNs when the coordinator received the answer, by its own clock (T4)
 */
record OffsetProbe(long sentNs, long receivedNs, long answeredNs, long arrivedNs) {

    /**
     * Largest error of a reading: the resolution of {@link System#nanoTime()} (1 ns on Linux, 42 on macOS, 100 on
     * Windows).
     */
    static final long READING_ERROR_NS = 100;

    /** A time in 2096: up to it, the sum and the difference of any two stamps and offsets fit into a long. */
    static final long MAX_STAMP_NS = 4_000_000_000_000_000_000L;

    /** Returns whether the stamps are possible: times between 1970 and 2096, and the coordinator's in order. */
    boolean isPossible() {
        return isTime(sentNs) && isTime(receivedNs) && isTime(answeredNs) && isTime(arrivedNs) && sentNs <= arrivedNs;
    }

    static boolean isTime(long stampNs) {
        return stampNs >= 0 && stampNs <= MAX_STAMP_NS;
    }

    /**
     * Returns by how much the worker's clock can have been ahead at {@link #sentNs}, at most: the question did not
     * take less than no time.
     */
    long mostAheadNs() {
        return receivedNs - sentNs + READING_ERROR_NS;
    }

    /**
     * Returns by how much the worker's clock must have been ahead at {@link #arrivedNs}, at least: nor did the answer
     * take less than no time.
     */
    long leastAheadNs() {
        return answeredNs - arrivedNs - READING_ERROR_NS;
    }

    /** Returns the time in transit, both ways, without the time at the worker. */
    long roundTripNs() {
        return arrivedNs - sentNs - (answeredNs - receivedNs);
    }
}
