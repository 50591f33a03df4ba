package io.openmessaging.benchmark.availability;

import java.util.HashMap;
import java.util.Map;

/**
 * The outcome of messages by their intended send time, and the times at which the system answered.
 *
 * @param sends counts of all kinds by producer number, in slots of {@link Slots#LENGTH_NS}
 * @param together counts of all producers together, in slots of {@link Slots#FINE_NS}
 * @param publishLatencies latencies of acknowledged messages from the intended send, in {@link LatencyBuckets}
 * @param deliveryLatencies latencies of arrived messages from the intended send, in {@link LatencyBuckets}; a message
 *     that arrived twice counts twice
 */
public record Availability(
        Map<Integer, SlotCounts> sends,
        SlotCounts together,
        SlotCounts publishLatencies,
        SlotCounts deliveryLatencies) {

    /** Messages with an intended send time in a slot that were sent, then or later. */
    public static final int DUE = 0;

    /** Due messages that were acknowledged within {@link Slots#ON_TIME_NS}. */
    public static final int ON_TIME = 1;

    /** Due messages that were refused or given up. */
    public static final int FAILED = 2;

    /** Acknowledgements that arrived in a slot, whatever the intended send time of their messages. */
    public static final int ANSWERED = 3;

    /** Number of kinds of counts. */
    public static final int KINDS = 4;

    /** Value for a run that does not keep it. */
    public static final Availability NONE = new Availability(
            Map.of(),
            SlotCounts.none(KINDS),
            SlotCounts.none(LatencyBuckets.COUNT),
            SlotCounts.none(LatencyBuckets.COUNT));

    public Availability {
        sends = Map.copyOf(sends);
    }

    /** Returns the sum. */
    public Availability plus(Availability other) {
        Map<Integer, SlotCounts> sums = new HashMap<>(sends);
        other.sends.forEach((producer, counts) -> sums.merge(producer, counts, SlotCounts::plus));
        return new Availability(
                sums,
                together.plus(other.together),
                publishLatencies.plus(other.publishLatencies),
                deliveryLatencies.plus(other.deliveryLatencies));
    }

    /** Returns the counts of all producers together. */
    public SlotCounts ofAll() {
        return sends.values().stream().reduce(SlotCounts::plus).orElse(SlotCounts.none(KINDS));
    }

    /**
     * Returns the sequence number of a producer's first message with an intended send time in a slot or later. A
     * producer numbers its messages from 0 in the order in which they are due, and all of them are counted here.
     */
    public long firstSequence(int producer, long slot) {
        SlotCounts counts = sends.get(producer);
        return counts == null ? 0 : counts.sum(Long.MIN_VALUE, slot, DUE);
    }
}
