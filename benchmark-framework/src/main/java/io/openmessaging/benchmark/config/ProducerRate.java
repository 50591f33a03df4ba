package io.openmessaging.benchmark.config;

import java.math.BigDecimal;

/** How fast a workload's producers send, all of them together. */
public sealed interface ProducerRate {

    /** A constant rate. */
    record Fixed(double messagesPerSecond) implements ProducerRate {

        @Override
        public String toString() {
            return new BigDecimal(Double.toString(messagesPerSecond))
                    .stripTrailingZeros()
                    .toPlainString();
        }
    }

    /** The highest rate that the system sustains, which is to be found out: {@code producerRate: 0}, as in OMB. */
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

    /** Lowest constant rate, in messages a second: one message in a quarter of an hour. */
    double MIN_MESSAGES_PER_SECOND = 0.001;

    /** Highest constant rate, in messages a second: one in a nanosecond, the resolution of the schedule. */
    double MAX_MESSAGES_PER_SECOND = 1e9;

    /**
     * Reads the notation of a workload file, which {@code toString} writes.
     *
     * @throws IllegalArgumentException with the rule that the text breaks
     */
    static ProducerRate parse(String text) {
        if (text.equalsIgnoreCase("unlimited")) {
            return new Unlimited();
        }
        double messagesPerSecond =
                ScalarText.number(text).map(BigDecimal::doubleValue).orElse(Double.NaN);
        if (messagesPerSecond == 0) {
            return new MaxSustainable();
        }
        if (messagesPerSecond >= MIN_MESSAGES_PER_SECOND && messagesPerSecond <= MAX_MESSAGES_PER_SECOND) {
            return new Fixed(messagesPerSecond);
        }
        throw new IllegalArgumentException("must be messages a second from 0.001 to 1000000000,"
                + " 0 (find the highest sustainable rate) or unlimited");
    }
}
