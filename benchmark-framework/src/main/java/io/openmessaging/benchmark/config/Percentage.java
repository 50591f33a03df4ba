package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.ScalarText;
import java.math.BigDecimal;
import java.util.Optional;

/** A part of a whole, written in percent: {@code 5%}. */
public final class Percentage {

    private static final int WHOLE = 100;

    private final double percent;

    private Percentage(double percent) {
        this.percent = percent;
    }

    /**
     * Reads the notation of a workload file, which {@code toString} writes.
     *
     * @throws IllegalArgumentException with the rule that the text breaks
     */
    public static Percentage parse(String text) {
        Optional<BigDecimal> number = text.endsWith("%")
                ? ScalarText.number(text.substring(0, text.length() - 1).strip())
                : Optional.empty();
        double percent = number.map(BigDecimal::doubleValue).orElse(Double.NaN);
        if (percent > 0 && percent <= WHOLE) {
            return new Percentage(percent);
        }
        throw new IllegalArgumentException("must be a percentage above 0% and up to 100%, such as 5%");
    }

    /** Returns the part as a number up to 1. */
    public double fraction() {
        return percent / WHOLE;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Percentage that && that.percent == percent;
    }

    @Override
    public int hashCode() {
        return Double.hashCode(percent);
    }

    @Override
    public String toString() {
        return BigDecimal.valueOf(percent).stripTrailingZeros().toPlainString() + "%";
    }
}
