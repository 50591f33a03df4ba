package io.openmessaging.benchmark.clock;

/**
 * How fast a worker's clock moves away from the coordinator's: between two limits, as parts of the time that passes (50 ppm
 * are 5e-5). Below 0 it loses time.
 *
 * @param slowest the lower limit
 * @param fastest the upper limit
 */
record ClockDrift(double slowest, double fastest) {

    private static final double PPM = 1e-6;

    /** What two clocks of ordinary machines stay within: quartz is good to some 20 ppm at room temperature, each. */
    static final double MAX_PPM = 50;

    static final double MAX = MAX_PPM * PPM;

    /** By how much the drift itself may change within the time for which one is determined. */
    static final double MAX_CHANGE = 10 * PPM;

    /** Before anything is known of it. */
    static final ClockDrift ANY = new ClockDrift(-MAX, MAX);

    /**
     * The limits, where straight lines from one slope to another are between all bounds of the offset. Between any two
     * moments the mean drift was within these slopes, so at no moment is it further from them than it changes.
     */
    static ClockDrift around(double least, double most) {
        return new ClockDrift(Math.max(-MAX, least - MAX_CHANGE), Math.min(MAX, most + MAX_CHANGE));
    }
}
