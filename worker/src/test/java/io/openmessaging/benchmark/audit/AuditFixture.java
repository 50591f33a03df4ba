package io.openmessaging.benchmark.audit;

import java.util.List;
import java.util.Map;

/** Audits as a run would report them, and the parts of which they are made, without a call for each message. */
public final class AuditFixture {

    private AuditFixture() {}

    /** With nothing that may still be on its way, and nothing damaged. */
    public static AuditReport.SubscriptionReport subscription(
            int subscription,
            long expected,
            long received,
            long lost,
            long duplicated,
            long outOfOrder,
            long failedButReceived,
            long unexpected,
            List<String> firstLost) {
        return new AuditReport.SubscriptionReport(
                subscription,
                expected,
                received,
                lost,
                0,
                0,
                duplicated,
                outOfOrder,
                failedButReceived,
                unexpected,
                firstLost,
                0);
    }

    /**
     * What a producer has sent.
     *
     * @param sent how many messages
     * @param searchEnd how many of them belong to a search; 0 without one
     * @param failed how many were refused: the last ones
     */
    public static AuditPart.Dispatches dispatches(long sent, long searchEnd, long failed) {
        SequenceSet refused = new SequenceSet();
        refused.addRange(sent - failed, sent);
        return new AuditPart.Dispatches(0, sent, searchEnd, refused);
    }

    /**
     * What has arrived of the first producer, in order.
     *
     * @param first the first message's number
     * @param messages how many messages
     * @param repeated how many of them, from the first on, have come once more
     */
    public static AuditPart.ArrivalCounts arrivals(
            String topic, int subscription, long first, long messages, long repeated) {
        SequenceSet numbers = new SequenceSet();
        numbers.addRange(first, first + messages);
        return new AuditPart.ArrivalCounts(
                topic,
                subscription,
                Map.of(0, new AuditPart.Arrived(numbers, new SequenceSet())),
                messages + repeated,
                repeated,
                0,
                0);
    }
}
