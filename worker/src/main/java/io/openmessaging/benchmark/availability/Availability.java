package io.openmessaging.benchmark.availability;

import java.util.HashMap;
import java.util.Map;

/**
 * What became of messages by the time at which they were to be sent, and when the system answered.
 *
 * @param sends counts of each producer, by its number, of all kinds, in slots of {@link Slots#LENGTH_NS}
 * @param together the same of all producers, in slots of {@link Slots#FINE_NS}
 * @param publishLatencies of what was acknowledged, from the intended send, in {@link LatencyBuckets}
 * @param deliveryLatencies of what has arrived, likewise; what came twice counts twice
 */
public record Availability(
        Map<Integer, SlotCounts> sends,
        SlotCounts together,
        SlotCounts publishLatencies,
        SlotCounts deliveryLatencies) {

    /** Messages that were to be sent in a slot and were sent, then or later. */
    public static final int DUE = 0;

    /** Those of them that were acknowledged within {@link Slots#ON_TIME_NS}. */
    public static final int ON_TIME = 1;

    /** Those of them that were refused or given up. */
    public static final int FAILED = 2;

    /** Acknowledgements that came in a slot, whenever their messages were to be sent. */
    public static final int ANSWERED = 3;

    /** How many kinds of counts there are. */
    public static final int KINDS = 4;

    /** Of a run that keeps nothing of it. */
    public static final Availability NONE = new Availability(
            Map.of(),
            SlotCounts.none(KINDS),
            SlotCounts.none(LatencyBuckets.COUNT),
            SlotCounts.none(LatencyBuckets.COUNT));

    public Availability {
        sends = Map.copyOf(sends);
    }

    /** Both together. */
    public Availability plus(Availability other) {
        Map<Integer, SlotCounts> sums = new HashMap<>(sends);
        other.sends.forEach((producer, counts) -> sums.merge(producer, counts, SlotCounts::plus));
        return new Availability(
                sums,
                together.plus(other.together),
                publishLatencies.plus(other.publishLatencies),
                deliveryLatencies.plus(other.deliveryLatencies));
    }

    /** The counts of all producers together. */
    public SlotCounts ofAll() {
        return sends.values().stream().reduce(SlotCounts::plus).orElse(SlotCounts.none(KINDS));
    }

    /**
     * The number of a producer's first message that was to be sent in a slot or later. A producer numbers its messages in
     * the order in which they are due, from 0, and all of them are counted here.
     */
    public long firstSequence(int producer, long slot) {
        SlotCounts counts = sends.get(producer);
        return counts == null ? 0 : counts.sum(Long.MIN_VALUE, slot, DUE);
    }
}
