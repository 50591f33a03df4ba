package io.openmessaging.benchmark.resources;

/**
 * One figure over a span of time: mean and maximum of a level, or of the growth per second of a count.
 *
 * @param seconds length of the span
 * @param integral the sum of value times seconds
 * @param max the highest value of one reading, or of the growth per second between two
 */
public record FigureUse(double seconds, double integral, double max) {

    /** Returns the use of a value that held for some seconds. */
    static FigureUse of(double value, double seconds) {
        return new FigureUse(seconds, value * seconds, value);
    }

    /** Returns the mean over the span; 0 if it has no length. */
    public double mean() {
        return seconds == 0 ? 0 : integral / seconds;
    }

    /** Returns the use over this span and the next one. */
    public FigureUse followedBy(FigureUse later) {
        return new FigureUse(seconds + later.seconds, integral + later.integral, Math.max(max, later.max));
    }
}
