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
 * The knowledge of one worker, or of several together, about which messages were sent and have arrived. Immutable.
 *
 * @param dispatches an entry for each producer
 * @param arrivals an entry for each topic and subscription for which a worker has consumers; several workers may have
 *     one for the same topic and subscription
 * @param unreported what is missing because workers were lost
 * @param availability when messages were sent and answered; {@link Availability#NONE} unless that is kept
 * @param consumed arrivals in a run without producers; {@link Consumed#NOTHING} in others
 */
public record AuditPart(
        List<Dispatches> dispatches,
        List<ArrivalCounts> arrivals,
        Unreported unreported,
        Availability availability,
        Consumed consumed) {

    /** Creates a part of a run with producers. */
    public AuditPart(
            List<Dispatches> dispatches,
            List<ArrivalCounts> arrivals,
            Unreported unreported,
            Availability availability) {
        this(dispatches, arrivals, unreported, availability, Consumed.NOTHING);
    }

    /** Creates a part of workers that have reported everything. */
    public AuditPart(List<Dispatches> dispatches, List<ArrivalCounts> arrivals) {
        this(dispatches, arrivals, Unreported.NOTHING, Availability.NONE);
    }

    /** Creates the part of a lost worker, which contains only what is missing. */
    public static AuditPart lost(Unreported unreported) {
        return new AuditPart(List.of(), List.of(), unreported, Availability.NONE);
    }

    /** Returns this part with the times at which messages were sent and answered. */
    public AuditPart with(Availability seen) {
        return new AuditPart(dispatches, arrivals, unreported, seen);
    }

    /** Creates a part of a run without producers. */
    public static AuditPart of(Consumed consumed) {
        return new AuditPart(List.of(), List.of(), Unreported.NOTHING, Availability.NONE, consumed);
    }

    /** Merges the parts of several workers into one. */
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
     * Producers and consumers whose sent and received messages will never be known.
     *
     * @param producers the sequence number of the first message after a search, by producer: 0 without a search,
     *     {@link Long#MAX_VALUE} if the producer was lost before the search had ended
     * @param consumers their subscriptions; other workers may also have consumers there
     */
    public record Unreported(Map<Integer, Long> producers, Set<SubscriptionKey> consumers) {

        /** Everything was reported. */
        public static final Unreported NOTHING = new Unreported(Map.of(), Set.of());
    }

    /**
     * The source of a consumer's messages.
     *
     * @param topic the topic's name
     * @param subscription the subscription's index
     */
    public record SubscriptionKey(String topic, int subscription) {}

    /**
     * The messages that a producer has sent.
     *
     * @param producer its number
     * @param sent number of messages: their sequence numbers are 0 to below this
     * @param measuredFrom the sequence number of the first message after a search; 0 without a search
     * @param failed the refused messages
     */
    public record Dispatches(int producer, long sent, long measuredFrom, SequenceSet failed) {}

    /**
     * The arrivals at the worker for a subscription of a topic.
     *
     * @param topic the topic's name
     * @param subscription the subscription's index
     * @param arrivedOf the arrived messages, by producer
     * @param received number of arrivals
     * @param duplicated number of them that had arrived before, without those of a search
     * @param duplicatedInSearch number of arrivals of a search's messages that had arrived before; 0 without a search
     * @param damaged number of arrivals with damaged content, if that was checked
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
     * The arrived messages of one producer.
     *
     * @param numbers the sequence numbers that arrived at least once
     * @param outOfOrder those that arrived after a later one, and, as far as the worker knows, at one consumer only
     */
    public record Arrived(SequenceSet numbers, SequenceSet outOfOrder) {}
}
