package io.openmessaging.benchmark.broker.pulsar;

import java.util.Locale;

/**
 * A size in the notation of {@code -Xmx}.
 *
 * @param text such as {@code 512m}
 * @param mib in mebibytes, rounded down
 */
record MemorySize(String text, long mib) {

    /** Reads digits with or without one of the units k, m, g, as {@code LocalBrokerOptions} lets them pass. */
    static MemorySize parse(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        char unit = lower.charAt(lower.length() - 1);
        int shift = switch (unit) {
            case 'k' -> 10;
            case 'm' -> 20;
            case 'g' -> 30;
            default -> 0;
        };
        String digits = shift == 0 ? lower : lower.substring(0, lower.length() - 1);
        return new MemorySize(text, Long.parseLong(digits) << shift >> 20);
    }

    /** Twice as much. */
    MemorySize twice() {
        return new MemorySize(2 * mib + "m", 2 * mib);
    }

    @Override
    public String toString() {
        return text;
    }
}
