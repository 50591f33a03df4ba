package io.openmessaging.benchmark.result;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;

/** Formats quantities for people: the same in every locale, with as many digits as are meaningful. */
public final class Quantities {

    /** Used for rates, as in a workload's {@code 10 MB/s} and in the studies; OMB's console means 2²⁰. */
    public static final double BYTES_PER_MB = 1e6;

    /** Used for memory and disks, as in {@code -Xmx512m}. */
    public static final double BYTES_PER_MIB = 0x1p20;

    private static final double LOWEST_MB = 0.001;

    private static final int DIGITS = 3;
    private static final MathContext ROUNDED = new MathContext(DIGITS, RoundingMode.HALF_UP);
    private static final double NS_PER_US = 1e3;
    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_S = 1e9;

    private Quantities() {}

    /**
     * Formats three significant digits, with more only before the decimal point: {@code 0.0333}, {@code 12.5},
     * {@code 1,234,567}.
     */
    public static String number(double value) {
        BigDecimal rounded = new BigDecimal(value).round(ROUNDED);
        if (rounded.signum() == 0) {
            return "0";
        }
        if (rounded.abs().compareTo(BigDecimal.valueOf(100)) >= 0) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return rounded.setScale(rounded.scale() + DIGITS - rounded.precision()).toPlainString();
    }

    /** Formats a number in full precision, without exponent or trailing zeros: {@code 99}, {@code 99.9}. */
    public static String decimalText(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }

    /** Formats a number of messages or bytes: {@code 30,000}. */
    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /**
     * Formats a number of things: {@code 1 producer}, {@code 2 producers}.
     *
     * @param noun singular of a noun whose plural ends with an additional s
     */
    public static String counted(long count, String noun) {
        return count(count) + " " + noun + (count == 1 ? "" : "s");
    }

    /**
     * Formats a latency in a suitable unit, µs below a millisecond: {@code 850 µs}, {@code 1.23 ms}, {@code 2.50 s}.
     */
    public static String latency(double latencyNs) {
        double rounded = new BigDecimal(Math.rint(latencyNs)).round(ROUNDED).doubleValue();
        if (rounded < NS_PER_MS) {
            return number(Math.rint(latencyNs) / NS_PER_US) + " µs";
        }
        return rounded < NS_PER_S ? number(latencyNs / NS_PER_MS) + " ms" : number(latencyNs / NS_PER_S) + " s";
    }

    /** Formats a rate in messages per second: {@code 1,000 msg/s}. */
    public static String messageRate(double messagesPerSecond) {
        return number(messagesPerSecond) + " msg/s";
    }

    /** Formats a rate in bytes per second as megabytes: {@code 0.977 MB/s}. */
    public static String byteRate(double bytesPerSecond) {
        double megabytes = bytesPerSecond / BYTES_PER_MB;
        return megabytes > 0 && megabytes < LOWEST_MB ? "< " + LOWEST_MB + " MB/s" : number(megabytes) + " MB/s";
    }

    /** Formats a measured time: {@code 12.3 s}. */
    public static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%,.1f s", seconds);
    }

    /** Formats a remaining time in whole seconds: {@code 25s}, {@code 1m05s}, {@code 2h00m05s}. */
    public static String timeLeft(Duration left) {
        long seconds = Math.round(left.toMillis() / 1e3);
        Duration whole = Duration.ofSeconds(seconds);
        if (whole.toHours() > 0) {
            return String.format(
                    Locale.ROOT, "%dh%02dm%02ds", whole.toHours(), whole.toMinutesPart(), whole.toSecondsPart());
        }
        return whole.toMinutes() > 0
                ? String.format(Locale.ROOT, "%dm%02ds", whole.toMinutes(), whole.toSecondsPart())
                : seconds + "s";
    }
}
