package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.ScalarText;
import java.math.BigDecimal;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The total rate of a workload's producers. */
public sealed interface ProducerRate {

    /** A constant rate. */
    record Fixed(double messagesPerSecond) implements ProducerRate {

        @Override
        public OptionalDouble messagesPerSecond(double meanMessageBytes) {
            return OptionalDouble.of(messagesPerSecond);
        }

        @Override
        public String toString() {
            return new BigDecimal(Double.toString(messagesPerSecond))
                    .stripTrailingZeros()
                    .toPlainString();
        }
    }

    /**
     * A constant rate in bytes of payload: {@code producerRate: 10 MB/s}.
     *
     * @param amount number of units
     * @param unit {@code B/s}, {@code kB/s}, {@code MB/s}, {@code GB/s} (powers of ten), {@code KiB/s}, {@code MiB/s}
     *     or {@code GiB/s} (powers of two)
     */
    record Bytes(double amount, String unit) implements ProducerRate {

        private static final Map<String, Double> BYTES = Map.of(
                "B/s", 1.0, "kB/s", 1e3, "MB/s", 1e6, "GB/s", 1e9, "KiB/s", 0x1p10, "MiB/s", 0x1p20, "GiB/s", 0x1p30);

        private static final Pattern TEXT = Pattern.compile("(\\S+?)\\s*((?:[kMG]|[KMG]i)?B/s)");

        @Override
        public OptionalDouble messagesPerSecond(double meanMessageBytes) {
            return OptionalDouble.of(amount * BYTES.getOrDefault(unit, Double.NaN) / meanMessageBytes);
        }

        @Override
        public String toString() {
            return new Fixed(amount) + " " + unit;
        }
    }

    /** The highest rate that the system sustains, found by a search: {@code producerRate: 0}, as in OMB. */
    record MaxSustainable() implements ProducerRate {

        @Override
        public String toString() {
            return "0";
        }
    }

    /** As fast as the client takes the messages: {@code producerRate: unlimited}. */
    record Unlimited() implements ProducerRate {

        @Override
        public String toString() {
            return "unlimited";
        }
    }

    /**
     * A rate that another key of the workload defines.
     *
     * @param key the key, such as {@code producerRateSchedule}
     */
    record GivenBy(String key) implements ProducerRate {

        @Override
        public String toString() {
            return "given by " + key;
        }
    }

    /** Lowest constant rate, in messages per second: one message in about a quarter of an hour. */
    double MIN_MESSAGES_PER_SECOND = 0.001;

    /** Highest constant rate, in messages per second: one per nanosecond, the resolution of the schedule. */
    double MAX_MESSAGES_PER_SECOND = 1e9;

    /** Returns whether a schedule can have this constant rate. */
    static boolean isPossible(double messagesPerSecond) {
        return messagesPerSecond >= MIN_MESSAGES_PER_SECOND && messagesPerSecond <= MAX_MESSAGES_PER_SECOND;
    }

    /** Returns the constant rate in messages per second; empty if it is not constant. */
    default OptionalDouble messagesPerSecond(double meanMessageBytes) {
        return OptionalDouble.empty();
    }

    /**
     * Reads the notation of a workload file, which {@code toString} writes.
     *
     * @throws IllegalArgumentException with the rule that the text breaks
     */
    static ProducerRate parse(String text) {
        if (text.equalsIgnoreCase("unlimited")) {
            return new Unlimited();
        }
        Matcher bytes = Bytes.TEXT.matcher(text);
        if (bytes.matches()) {
            double amount = number(bytes.group(1));
            if (amount > 0) {
                return new Bytes(amount, bytes.group(2));
            }
        }
        double messagesPerSecond = number(text);
        if (messagesPerSecond == 0) {
            return new MaxSustainable();
        }
        if (isPossible(messagesPerSecond)) {
            return new Fixed(messagesPerSecond);
        }
        throw new IllegalArgumentException("must be messages a second from 0.001 to 1000000000, bytes such as 10 MB/s,"
                + " 0 (find the highest sustainable rate) or unlimited");
    }

    private static double number(String text) {
        return ScalarText.number(text).map(BigDecimal::doubleValue).orElse(Double.NaN);
    }
}
