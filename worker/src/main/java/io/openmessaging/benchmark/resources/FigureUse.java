package io.openmessaging.benchmark.resources;

/**
 * One figure over a time: of a level its mean and highest, of a count the mean and highest growth a second.
 *
 * @param seconds how long
 * @param integral the sum of value times seconds
 * @param max the highest value of one reading, or of the growth between two
 */
public record FigureUse(double seconds, double integral, double max) {

    /** A value that held for some seconds. */
    static FigureUse of(double value, double seconds) {
        return new FigureUse(seconds, value * seconds, value);
    }

    /** The mean over the time; 0 over none. */
    public double mean() {
        return seconds == 0 ? 0 : integral / seconds;
    }

    /** This time and another that followed it. */
    public FigureUse followedBy(FigureUse later) {
        return new FigureUse(seconds + later.seconds, integral + later.integral, Math.max(max, later.max));
    }
}
