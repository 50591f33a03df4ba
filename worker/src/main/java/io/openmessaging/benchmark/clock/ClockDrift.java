package io.openmessaging.benchmark.clock;

/**
 * The rate at which a worker's clock moves away from the coordinator's: two limits, as fractions of elapsed time (50
 * ppm are 5e-5). Below 0 the clock loses time.
 *
 * @param slowest the lower limit
 * @param fastest the upper limit
 */
record ClockDrift(double slowest, double fastest) {

    private static final double PPM = 1e-6;

    /**
     * Limit that two clocks of ordinary machines stay within: quartz is accurate to some 20 ppm at room temperature,
     * each.
     */
    static final double MAX_PPM = 50;

    static final double MAX = MAX_PPM * PPM;

    /** Largest change of the drift itself within the time over which it is determined. */
    static final double MAX_CHANGE = 10 * PPM;

    /** The limits before anything is known. */
    static final ClockDrift ANY = new ClockDrift(-MAX, MAX);

    /**
     * Returns the limits, given the range of slopes of the straight lines that fit between all bounds of the offset.
     * Between any two times the mean drift was within these slopes, so the drift is never further from them than it
     * can change.
     */
    static ClockDrift around(double least, double most) {
        return new ClockDrift(Math.max(-MAX, least - MAX_CHANGE), Math.min(MAX, most + MAX_CHANGE));
    }
}
