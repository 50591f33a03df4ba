package io.openmessaging.benchmark.audit;

import io.openmessaging.benchmark.availability.Availability;
import io.openmessaging.benchmark.measure.Consumed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What one worker, or several together, know about which messages were sent and have arrived. Nothing in it changes any
 * more.
 *
 * @param dispatches an entry for each producer
 * @param arrivals an entry for each topic and subscription of which a worker has consumers; several workers may have one of
 *     the same topic and subscription
 * @param unreported what workers that were lost would have known
 * @param availability when messages were sent and answered; {@link Availability#NONE} unless that is kept
 * @param consumed what has arrived in a run without producers; {@link Consumed#NOTHING} in others
 */
public record AuditPart(
        List<Dispatches> dispatches,
        List<ArrivalCounts> arrivals,
        Unreported unreported,
        Availability availability,
        Consumed consumed) {

    /** Of a run with producers. */
    public AuditPart(
            List<Dispatches> dispatches,
            List<ArrivalCounts> arrivals,
            Unreported unreported,
            Availability availability) {
        this(dispatches, arrivals, unreported, availability, Consumed.NOTHING);
    }

    /** Of workers that have told everything. */
    public AuditPart(List<Dispatches> dispatches, List<ArrivalCounts> arrivals) {
        this(dispatches, arrivals, Unreported.NOTHING, Availability.NONE);
    }

    /** Only what is missing: of a worker that was lost. */
    public static AuditPart lost(Unreported unreported) {
        return new AuditPart(List.of(), List.of(), unreported, Availability.NONE);
    }

    /** The same, with when messages were sent and answered. */
    public AuditPart with(Availability seen) {
        return new AuditPart(dispatches, arrivals, unreported, seen);
    }

    /** Of a run without producers. */
    public static AuditPart of(Consumed consumed) {
        return new AuditPart(List.of(), List.of(), Unreported.NOTHING, Availability.NONE, consumed);
    }

    /** The parts of several workers as one. */
    public static AuditPart together(List<AuditPart> parts) {
        List<Dispatches> dispatches = new ArrayList<>();
        List<ArrivalCounts> arrivals = new ArrayList<>();
        Map<Integer, Long> producers = new HashMap<>();
        Set<SubscriptionKey> consumers = new HashSet<>();
        for (AuditPart part : parts) {
            dispatches.addAll(part.dispatches);
            arrivals.addAll(part.arrivals);
            producers.putAll(part.unreported.producers);
            consumers.addAll(part.unreported.consumers);
        }
        return new AuditPart(
                List.copyOf(dispatches),
                List.copyOf(arrivals),
                new Unreported(producers, consumers),
                parts.stream().map(AuditPart::availability).reduce(Availability.NONE, Availability::plus),
                parts.stream().map(AuditPart::consumed).reduce(Consumed.NOTHING, Consumed::plus));
    }

    /**
     * Producers and consumers of which it will never be known what they have sent and got.
     *
     * @param producers the number of the first message that does not belong to a search, by producer: 0 without a search,
     *     {@link Long#MAX_VALUE} if the producer was lost before the search had ended
     * @param consumers what they had subscribed to; other workers may have consumers there, too
     */
    public record Unreported(Map<Integer, Long> producers, Set<SubscriptionKey> consumers) {

        /** Everything was told. */
        public static final Unreported NOTHING = new Unreported(Map.of(), Set.of());
    }

    /**
     * Where a consumer gets its messages from.
     *
     * @param topic the topic's name
     * @param subscription the subscription's index
     */
    public record SubscriptionKey(String topic, int subscription) {}

    /**
     * What a producer has sent.
     *
     * @param producer its number
     * @param sent how many messages: their sequence numbers are 0 to below this
     * @param measuredFrom the number of the first message that does not belong to a search; 0 without a search
     * @param failed those that were refused
     */
    public record Dispatches(int producer, long sent, long measuredFrom, SequenceSet failed) {}

    /**
     * What has arrived at the worker for a subscription of a topic.
     *
     * @param topic the topic's name
     * @param subscription the subscription's index
     * @param arrivedOf what came, by producer
     * @param received how many messages came
     * @param duplicated how many of them had come before, those of a search not counted
     * @param duplicatedInSearch how many messages of a search had come before; 0 without one
     * @param damaged how many of them had another content than was sent, if that was checked
     */
    public record ArrivalCounts(
            String topic,
            int subscription,
            Map<Integer, Arrived> arrivedOf,
            long received,
            long duplicated,
            long duplicatedInSearch,
            long damaged) {}

    /**
     * What has arrived of one producer.
     *
     * @param numbers the sequence numbers that came at least once
     * @param outOfOrder those that came after a later one, and, as far as the worker knows, to one consumer only
     */
    public record Arrived(SequenceSet numbers, SequenceSet outOfOrder) {}
}
