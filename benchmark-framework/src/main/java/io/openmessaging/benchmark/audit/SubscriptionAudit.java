package io.openmessaging.benchmark.audit;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What has arrived for one subscription of one topic on this worker, put together from its consumers. Thread-safe;
 * called rarely: by a consumer for pages that it has finished with.
 */
public final class SubscriptionAudit {

    private final String topic;
    private final int subscription;
    private final Map<Integer, ArrivedMessages> arrivedOf = new HashMap<>();
    private volatile long @Nullable [] measuredFrom;
    private long received;
    private long duplicated;
    private long duplicatedInSearch;

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

    /**
     * What has come until now belongs to a search, and so does what still comes with lower numbers than these. Called at
     * most once, while nothing is on its way.
     *
     * @param measuredFromOf the number of the first message of the measurement, for each producer of the run
     */
    public synchronized void endSearch(long[] measuredFromOf) {
        measuredFrom = measuredFromOf.clone();
        duplicatedInSearch = duplicated;
        duplicated = 0;
    }

    /** Whether there was a search that has ended, and this message is none of its. */
    boolean followsSearch(int producer, long sequence) {
        long[] from = measuredFrom;
        return from != null && sequence >= from[producer];
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
        SequenceSet again = arrivedOf(producer).add(part);
        long[] from = measuredFrom;
        long measured = again.countFrom(from == null ? 0 : from[producer]);
        duplicated += measured;
        duplicatedInSearch += again.cardinality() - measured;
    }

    /** A message has come after a later one; does nothing and returns false if it is known to have come before. */
    synchronized boolean addLate(int producer, long sequence) {
        return arrivedOf(producer).addLate(sequence);
    }

    /**
     * Adds the counts of a consumer that is closed.
     *
     * @param consumerReceived what it got
     * @param consumerDuplicated what of that had come before
     * @param afterSearch what of those {@link #followsSearch}
     */
    synchronized void addCounts(long consumerReceived, long consumerDuplicated, long afterSearch) {
        received += consumerReceived;
        long inSearch = measuredFrom == null ? 0 : consumerDuplicated - afterSearch;
        duplicatedInSearch += inSearch;
        duplicated += consumerDuplicated - inSearch;
    }

    private ArrivedMessages arrivedOf(int producer) {
        return arrivedOf.computeIfAbsent(producer, p -> new ArrivedMessages());
    }

    /** The findings, once every consumer is closed. */
    public synchronized AuditPart.Arrivals arrivals() {
        return new AuditPart.Arrivals(
                topic, subscription, Map.copyOf(arrivedOf), received, duplicated, duplicatedInSearch);
    }
}
