package io.openmessaging.benchmark.measure;

import io.openmessaging.benchmark.driver.MessageListener;
import java.util.List;

/**
 * The messages consumed in a run without producers, where others have sent them.
 *
 * @param messages number of messages of all subscriptions together
 * @param bytes total size of their payloads
 * @param smallestBytes the smallest payload; 0 without a message
 * @param largestBytes the largest payload
 * @param spanNs from the first arrival to the last; for several workers the longest span
 * @param ages from the system's timestamp of a message to its arrival, in milliseconds, by the worker's clock
 * @param withoutTime number of messages without a timestamp of the system
 */
public record Consumed(
        long messages,
        long bytes,
        int smallestBytes,
        int largestBytes,
        long spanNs,
        LatencySnapshot ages,
        long withoutTime) {

    /** No messages. */
    public static final Consumed NOTHING = new Consumed(0, 0, 0, 0, 0, LatencySnapshot.empty(), 0);

    /** Returns the sum of the counts of one worker's consumers, once they are closed. */
    public static Consumed of(List<ConsumerCounts> consumers) {
        long firstNs = Long.MAX_VALUE;
        long lastNs = Long.MIN_VALUE;
        Consumed all = NOTHING;
        for (ConsumerCounts consumer : consumers) {
            if (consumer.messages.get() > 0) {
                firstNs = Math.min(firstNs, consumer.firstNs.get());
                lastNs = Math.max(lastNs, consumer.lastNs.get());
                all = all.plus(consumer.consumed());
            }
        }
        return new Consumed(
                all.messages,
                all.bytes,
                all.smallestBytes,
                all.largestBytes,
                Math.max(0, lastNs - Math.min(firstNs, lastNs)),
                all.ages,
                all.withoutTime);
    }

    /** Returns the sum. */
    public Consumed plus(Consumed other) {
        if (messages == 0 || other.messages == 0) {
            return messages == 0 ? other : this;
        }
        return new Consumed(
                messages + other.messages,
                bytes + other.bytes,
                Math.min(smallestBytes, other.smallestBytes),
                Math.max(largestBytes, other.largestBytes),
                Math.max(spanNs, other.spanNs),
                ages.plus(other.ages),
                withoutTime + other.withoutTime);
    }

    /** Returns the mean size of a payload; 0 without a message. */
    public double meanBytes() {
        return messages == 0 ? 0 : (double) bytes / messages;
    }

    /** Returns messages per second from the first arrival to the last; 0 if that took no time. */
    public double messagesPerSecond() {
        return spanNs == 0 ? 0 : messages / (spanNs / 1e9);
    }

    /** The counts of one consumer. Written by one thread at a time. */
    public static final class ConsumerCounts {

        private static final long NS_PER_MS = 1_000_000;

        private final Counter messages = new Counter();
        private final Counter bytes = new Counter();
        private final Counter smallestBytes = new Counter();
        private final Counter largestBytes = new Counter();
        private final Counter firstNs = new Counter();
        private final Counter lastNs = new Counter();
        private final Counter withoutTime = new Counter();
        private final LatencyRecorder ages = new LatencyRecorder();

        /**
         * Counts a message that has arrived.
         *
         * @param payloadBytes its size
         * @param nowNs time of arrival, epoch nanoseconds
         * @param timeMs the system's timestamp of the message, or {@link MessageListener#NO_TIME}
         */
        public void note(int payloadBytes, long nowNs, long timeMs) {
            if (messages.get() == 0) {
                firstNs.add(nowNs);
                smallestBytes.add(payloadBytes);
            }
            messages.add(1);
            bytes.add(payloadBytes);
            smallestBytes.add(Math.min(0, payloadBytes - smallestBytes.get()));
            largestBytes.add(Math.max(0, payloadBytes - largestBytes.get()));
            lastNs.add(nowNs - lastNs.get());
            if (timeMs == MessageListener.NO_TIME) {
                withoutTime.add(1);
            } else {
                ages.record(nowNs / NS_PER_MS - timeMs);
            }
        }

        private Consumed consumed() {
            LatencyCounts counts = new LatencyCounts();
            ages.addTo(counts);
            return new Consumed(
                    messages.get(),
                    bytes.get(),
                    (int) smallestBytes.get(),
                    (int) largestBytes.get(),
                    lastNs.get() - firstNs.get(),
                    counts.since(new LatencyCounts()),
                    withoutTime.get());
        }
    }
}
