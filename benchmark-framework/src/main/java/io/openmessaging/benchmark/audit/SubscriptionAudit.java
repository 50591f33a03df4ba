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
    private final Map<Integer, ArrivedMessages> arrivedOf = new HashMap<>();
    private long received;
    private long duplicated;
    private long damaged;

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

    void addPage(int producer, long page, long[] bits) {
        SequenceSet part = new SequenceSet();
        part.addPage(page, bits);
        add(producer, part);
    }

    void addRange(int producer, long from, long to) {
        SequenceSet part = new SequenceSet();
        part.addRange(from, to);
        add(producer, part);
    }

    private synchronized void add(int producer, SequenceSet part) {
        duplicated += arrivedOf(producer).add(part);
    }

    /** A message has come after a later one; does nothing and returns false if it is known to have come before. */
    synchronized boolean addLate(int producer, long sequence) {
        return arrivedOf(producer).addLate(sequence);
    }

    /** Adds the counts of a consumer that is closed. */
    synchronized void addCounts(long consumerReceived, long consumerDuplicated) {
        received += consumerReceived;
        duplicated += consumerDuplicated;
    }

    /** Adds the messages whose content was damaged, of a consumer that is closed. */
    synchronized void addDamaged(long consumerDamaged) {
        damaged += consumerDamaged;
    }

    private ArrivedMessages arrivedOf(int producer) {
        return arrivedOf.computeIfAbsent(producer, p -> new ArrivedMessages());
    }

    /** The findings, once every consumer is closed. */
    public synchronized AuditPart.Arrivals arrivals() {
        return new AuditPart.Arrivals(topic, subscription, Map.copyOf(arrivedOf), received, duplicated, damaged);
    }
}
