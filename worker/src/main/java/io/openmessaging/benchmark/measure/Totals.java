package io.openmessaging.benchmark.measure;

import java.util.Arrays;
import java.util.List;

/**
 * Message counts, of a period or since the start of a run.
 *
 * @param sent messages handed to the client
 * @param acknowledged messages confirmed by the system
 * @param failed messages refused or given up
 * @param received arrivals at each subscription; a message that arrives twice counts twice
 * @param unknown arrivals of messages that this run did not send, or that were damaged
 * @param duplicated arrivals at each subscription that are known to be of messages that had arrived before; if several
 *     consumers share a subscription, some become known only later
 * @param impossible arrivals before the send, by more than the clocks can differ: proof that a clock's offset is wrong
 */
public record Totals(
        long sent,
        long acknowledged,
        long failed,
        List<Long> received,
        long unknown,
        List<Long> duplicated,
        long impossible) {

    /** Creates counts without duplicates and impossible arrivals. */
    public Totals(long sent, long acknowledged, long failed, List<Long> received, long unknown) {
        this(sent, acknowledged, failed, received, unknown, list(new long[received.size()]), 0);
    }

    /** Returns zero counts for a number of subscriptions. */
    public static Totals none(int subscriptionCount) {
        return new Totals(0, 0, 0, list(new long[subscriptionCount]), 0);
    }

    static List<Long> list(long[] values) {
        return Arrays.stream(values).boxed().toList();
    }

    /** Returns the sum. */
    public Totals plus(Totals other) {
        return combine(other, 1);
    }

    /** Returns the counts since earlier ones. */
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

    /** Returns the arrivals of all subscriptions together. */
    public long receivedByAll() {
        long all = 0;
        for (long ofSubscription : received) {
            all += ofSubscription;
        }
        return all;
    }

    /**
     * Returns the number of messages that were sent and not refused, but have not arrived yet, as the sum over all
     * subscriptions.
     */
    public long backlog() {
        return Arrays.stream(backlogs()).sum();
    }

    /** Returns the largest number of messages that any one subscription has yet to receive. */
    public long largestBacklog() {
        return Arrays.stream(backlogs()).max().orElse(0);
    }

    /** Returns the backlog of each subscription. Arrivals of messages known to have arrived before do not reduce it. */
    public long[] backlogs() {
        long[] backlogs = new long[received.size()];
        for (int i = 0; i < backlogs.length; i++) {
            backlogs[i] = Math.max(0, sent - failed - (received.get(i) - duplicated.get(i)));
        }
        return backlogs;
    }

    /** Returns the number of messages that were sent, but neither confirmed nor refused yet. */
    public long inFlight() {
        return sent - acknowledged - failed;
    }
}
