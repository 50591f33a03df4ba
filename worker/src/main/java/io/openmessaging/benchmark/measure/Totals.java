package io.openmessaging.benchmark.measure;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Message counts, of a period or since the start of a run.
 *
 * @param sent handed to the client
 * @param acknowledged confirmed by the system
 * @param failed refused or given up
 * @param received arrived, for each subscription; a message that arrives twice counts twice
 * @param unknown arrived, but not sent by this run or damaged
 * @param duplicated how many of the arrivals at each subscription are known to be of messages that had arrived before; where
 *     several consumers share a subscription, some become known only later
 * @param impossible arrived before they were sent, by more than their clocks can be apart: proof that a clock is not what it
 *     is taken for
 */
public record Totals(
        long sent,
        long acknowledged,
        long failed,
        List<Long> received,
        long unknown,
        List<Long> duplicated,
        long impossible) {

    /** Without a duplicate, and with clocks that are right. */
    public Totals(long sent, long acknowledged, long failed, List<Long> received, long unknown) {
        this(sent, acknowledged, failed, received, unknown, list(new long[received.size()]), 0);
    }

    /** Nothing, for a number of subscriptions. */
    public static Totals none(int subscriptionCount) {
        return new Totals(0, 0, 0, list(new long[subscriptionCount]), 0);
    }

    static List<Long> list(long[] values) {
        return Arrays.stream(values).boxed().toList();
    }

    /** Both together. */
    public Totals plus(Totals other) {
        return combine(other, 1);
    }

    /** What has come since the earlier counts. */
    public Totals minus(Totals earlier) {
        return combine(earlier, -1);
    }

    private Totals combine(Totals other, int sign) {
        return new Totals(
                sent + sign * other.sent,
                acknowledged + sign * other.acknowledged,
                failed + sign * other.failed,
                combine(received, other.received, sign),
                unknown + sign * other.unknown,
                combine(duplicated, other.duplicated, sign),
                impossible + sign * other.impossible);
    }

    private static List<Long> combine(List<Long> one, List<Long> other, int sign) {
        long[] sums = new long[one.size()];
        for (int i = 0; i < sums.length; i++) {
            sums[i] = one.get(i) + sign * other.get(i);
        }
        return list(sums);
    }

    /** Arrivals of all subscriptions together. */
    public long receivedByAll() {
        return received.stream().mapToLong(Long::longValue).sum();
    }

    /** Messages on their way or waiting: sent and not refused, but not yet arrived, the sum over all subscriptions. */
    public long backlog() {
        return backlogs().sum();
    }

    /** The largest number of messages that any one subscription still has to get. */
    public long largestBacklog() {
        return backlogs().max().orElse(0);
    }

    /** Of each subscription, without arrivals of messages that are known to have arrived before. */
    public LongStream backlogs() {
        return IntStream.range(0, received.size())
                .mapToLong(i -> Math.max(0, sent - failed - (received.get(i) - duplicated.get(i))));
    }

    /** Sent, but neither confirmed nor refused yet. */
    public long inFlight() {
        return sent - acknowledged - failed;
    }
}
