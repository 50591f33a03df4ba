package io.openmessaging.benchmark.limits;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Resources that a process and its children may use together.
 *
 * @param cpus processor time per second, in processors, such as 0.5; null for no limit
 * @param memoryBytes memory, including the cache of its files; null for no limit
 */
public record ProcessLimit(@Nullable Double cpus, @Nullable Long memoryBytes) {

    /** No limits. */
    public static final ProcessLimit NONE = new ProcessLimit(null, null);

    /** The kernel grants no less than one millisecond in a hundred. */
    public static final double LEAST_CPUS = 0.01;

    /** More than any machine has. */
    public static final double MOST_CPUS = 4096;

    /** Rule for a valid number of processors, as part of an error message. */
    public static final String CPUS_RULE = "must be a number of processors from 0.01 to 4096, such as 2 or 0.5";

    private static final String UNITS = "kmgt";

    private static final int UNIT_BITS = 10;

    /** Returns whether nothing is limited. */
    public boolean isNone() {
        return cpus == null && memoryBytes == null;
    }

    /** Formats a number of processors, such as {@code 1 processor} or {@code 0.5 processors}. */
    static String cpusText(double cpus) {
        return BigDecimal.valueOf(cpus).stripTrailingZeros().toPlainString()
                + (cpus == 1 ? " processor" : " processors");
    }

    /**
     * Formats a size in the notation of {@code -Xmx}, in the largest unit that gives a whole number, such as {@code
     * 512m}.
     */
    public static String memoryText(long bytes) {
        int units = bytes == 0 ? 0 : Math.min(UNITS.length(), Long.numberOfTrailingZeros(bytes) / UNIT_BITS);
        return (bytes >> UNIT_BITS * units) + (units == 0 ? "" : UNITS.substring(units - 1, units));
    }

    /**
     * Parses a size in the notation of {@code -Xmx}, such as {@code 512m}; without a unit it is in bytes.
     *
     * @throws IllegalArgumentException if the text is not a size, or exceeds the range of a {@code long}
     */
    public static long memoryBytes(String text) {
        if (!text.matches("[1-9][0-9]{0,14}[kKmMgGtT]?")) {
            throw new IllegalArgumentException("must be a size such as 512m or 2g");
        }
        int unit = UNITS.indexOf(Character.toLowerCase(text.charAt(text.length() - 1)));
        long number = Long.parseLong(unit < 0 ? text : text.substring(0, text.length() - 1));
        int bits = UNIT_BITS * (unit + 1);
        if (number > Long.MAX_VALUE >> bits) {
            throw new IllegalArgumentException("must be a size such as 512m or 2g");
        }
        return number << bits;
    }
}
