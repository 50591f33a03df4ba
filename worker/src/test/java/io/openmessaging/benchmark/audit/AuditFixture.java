package io.openmessaging.benchmark.audit;

import java.util.List;
import java.util.Map;

/** Audits as a run would report them, and their parts, created without a call for each message. */
public final class AuditFixture {

    private AuditFixture() {}

    /** Returns a report with nothing undelivered, in doubt or damaged. */
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
     * Returns the sends of a producer.
     *
     * @param sent number of messages
     * @param searchEnd number of them that belong to a search; 0 without one
     * @param failed number of refused messages: the last ones
     */
    public static AuditPart.Dispatches dispatches(long sent, long searchEnd, long failed) {
        SequenceSet refused = new SequenceSet();
        refused.addRange(sent - failed, sent);
        return new AuditPart.Dispatches(0, sent, searchEnd, refused);
    }

    /**
     * Returns arrivals from the first producer, in order.
     *
     * @param first number of the first message
     * @param messages number of messages
     * @param repeated number of them, from the first on, that have arrived once more
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
