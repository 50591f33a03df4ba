package io.openmessaging.benchmark.live.page;

/**
 * The rows of the heat map: twelve for each power of ten from 1 µs to 100 s, each 21 % above the one below. Values
 * below or above count in the first or the last row.
 */
final class LatencyScale {

    /** The number of rows. */
    static final int ROWS = 96;

    private static final int ROWS_OF_A_DECADE = 12;
    private static final double LOWEST_NS = 1e3;

    private LatencyScale() {}

    /** Returns the row of a latency. */
    static int rowOf(long latencyNs) {
        if (latencyNs <= LOWEST_NS) {
            return 0;
        }
        return Math.min(ROWS - 1, (int) (Math.log10(latencyNs / LOWEST_NS) * ROWS_OF_A_DECADE));
    }

    /** Returns the latency at which a row starts, in nanoseconds; for {@link #ROWS}, the end of the last row. */
    static double beginNs(double row) {
        return LOWEST_NS * Math.pow(10, row / ROWS_OF_A_DECADE);
    }
}
