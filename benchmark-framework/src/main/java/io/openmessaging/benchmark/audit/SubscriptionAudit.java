package io.openmessaging.benchmark.audit;

import java.util.HashMap;
import java.util.Map;

/**
 * What has arrived for one subscription of one topic on this worker, put together from its consumers. Thread-safe;
 * called rarely: by a consumer for pages that it has finished with.
 */
public final class SubscriptionAudit {

    private final String topic;
    private final int subscription;
    private final Map<Integer, SequenceSet> receivedOf = new HashMap<>();
    private long received;
    private long duplicated;
    private long outOfOrder;

    /**
     * Nothing has arrived yet.
     *
     * @param topic the topic's name
     * @param subscription the subscription's index
     */
    public SubscriptionAudit(String topic, int subscription) {
        this.topic = topic;
        this.subscription = subscription;
    }

    synchronized void addPage(int producer, long page, long[] bits) {
        duplicated += setOf(producer).addPage(page, bits);
    }

    synchronized void addRange(int producer, long from, long to) {
        duplicated += setOf(producer).addRange(from, to);
    }

    synchronized boolean contains(int producer, long sequence) {
        SequenceSet set = receivedOf.get(producer);
        return set != null && set.contains(sequence);
    }

    /** Adds the counts of a consumer that is closed. */
    synchronized void addCounts(long consumerReceived, long consumerDuplicated, long consumerOutOfOrder) {
        received += consumerReceived;
        duplicated += consumerDuplicated;
        outOfOrder += consumerOutOfOrder;
    }

    private SequenceSet setOf(int producer) {
        return receivedOf.computeIfAbsent(producer, p -> new SequenceSet());
    }

    /** The findings, once every consumer is closed. */
    public synchronized AuditPart.Arrivals arrivals() {
        return new AuditPart.Arrivals(topic, subscription, Map.copyOf(receivedOf), received, duplicated, outOfOrder);
    }
}
