package io.openmessaging.benchmark.audit;

import java.util.List;
import java.util.Map;

/**
 * What one worker knows about which messages were sent and have arrived. Nothing in it changes any more.
 *
 * @param dispatches an entry for each producer of the worker
 * @param arrivals an entry for each topic and subscription that the worker has consumers of
 */
public record AuditPart(List<Dispatches> dispatches, List<Arrivals> arrivals) {

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
    public record Arrivals(
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
