package io.openmessaging.benchmark.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The arrivals for one subscription of one topic on this worker, merged from its consumers. Thread-safe; called
 * rarely: by consumers, for pages that they have finished.
 */
public final class SubscriptionAudit {

    private final String topic;
    private final int subscription;
    private final Map<Integer, ArrivedMessages> arrivedOf = new HashMap<>();
    private final List<ConsumerAudit> open = new ArrayList<>();
    private long received;

    /** Without the duplicates that a consumer that is still open has found itself. */
    private long duplicated;

    /** Number of those that belong to a search, if there is one. */
    private long duplicatedInSearch;

    private long knownDuplicated;
    private long damaged;
    private volatile long @Nullable [] measuredFrom;

    /**
     * Creates the audit of a subscription for which nothing has arrived yet.
     *
     * @param topic the topic's name
     * @param subscription the subscription's index
     */
    public SubscriptionAudit(String topic, int subscription) {
        this.topic = topic;
        this.subscription = subscription;
    }

    public int subscription() {
        return subscription;
    }

    /**
     * Ends a search: messages sent so far belong to it. Called after all workers have stopped sending and before any
     * of them sends again; messages of the search may still arrive during and after the call. Called again if messages
     * sent since turned out to belong to the search, too.
     *
     * @param measuredFromOf the sequence number of the first measured message, for each producer of the run, this
     *     worker's and others'; {@link Long#MAX_VALUE} for a lost producer. The array is kept, and shared by all that
     *     receive it
     */
    public synchronized void endSearch(long[] measuredFromOf) {
        if (!Arrays.equals(measuredFrom, measuredFromOf)) {
            measuredFrom = measuredFromOf;
            duplicatedInSearch = duplicated;
        }
    }

    /**
     * Returns the sequence number of the first measured message, for each producer; null as long as no search has
     * ended.
     */
    long @Nullable [] measuredFrom() {
        return measuredFrom;
    }

    /** Returns whether a message was sent in a search, or, as long as that is unknown, might have been. */
    static boolean mayBeOfSearch(long @Nullable [] measuredFrom, int producer, long sequence) {
        return measuredFrom == null || sequence < measuredFrom[producer];
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
        duplicated += again.cardinality();
        long[] from = measuredFrom;
        duplicatedInSearch += from == null ? again.cardinality() : again.countIn(0, from[producer]);
    }

    /**
     * Notes that a message arrived after a later one; does nothing and returns false if it is known to have arrived
     * before.
     */
    synchronized boolean addLate(int producer, long sequence) {
        return arrivedOf(producer).addLate(sequence);
    }

    /** Adds the number of messages of a producer that a closing consumer has received. */
    synchronized void addReceived(long ofConsumer) {
        received += ofConsumer;
    }

    synchronized void join(ConsumerAudit consumer) {
        open.add(consumer);
    }

    /** Notes that a consumer is closed. */
    synchronized void leave(ConsumerAudit consumer) {
        if (open.remove(consumer)) {
            duplicated += consumer.duplicated();
            duplicatedInSearch += consumer.duplicatedInSearch();
        }
    }

    /**
     * Returns the number of repeated messages, as far as it is known while consumers still receive some; it never
     * decreases.
     *
     * <p>Each consumer knows which messages arrived at itself again. Messages that arrived at two consumers are found
     * where the newest runs of the two overlap, or where a newest run overlaps what was handed over. Only messages
     * that both have received in pieces, and not handed over yet, are unknown: at most some 30,000 messages of a
     * producer.
     */
    public synchronized long duplicatedSoFar() {
        long soFar = duplicated;
        for (ConsumerAudit consumer : open) {
            soFar += consumer.duplicated();
        }
        if (open.size() > 1) {
            soFar += overlaps();
        }
        knownDuplicated = Math.max(knownDuplicated, soFar);
        return knownDuplicated;
    }

    private long overlaps() {
        ConsumerAudit first = open.get(0);
        long overlaps = 0;
        List<ConsumerAudit.SequenceRun> runs = new ArrayList<>();
        for (int i = 0; i < first.producerCount(); i++) {
            runs.clear();
            for (ConsumerAudit consumer : open) {
                consumer.newestRun(i).ifPresent(runs::add);
            }
            overlaps += overlaps(runs, arrivedOf.get(first.firstProducer() + i));
        }
        return overlaps;
    }

    /**
     * Returns the overlaps among runs, and of runs with what was handed over: each number counts once less than it
     * occurs.
     */
    private static long overlaps(List<ConsumerAudit.SequenceRun> runs, @Nullable ArrivedMessages handedOver) {
        runs.sort(Comparator.comparingLong(ConsumerAudit.SequenceRun::from));
        long overlaps = 0;
        long coveredTo = 0;
        for (ConsumerAudit.SequenceRun run : runs) {
            long newFrom = Math.min(run.to(), Math.max(run.from(), coveredTo));
            overlaps += newFrom - run.from();
            if (handedOver != null) {
                overlaps += handedOver.countIn(newFrom, run.to());
            }
            coveredTo = Math.max(coveredTo, run.to());
        }
        return overlaps;
    }

    /** Adds the damaged messages of a closed consumer. */
    synchronized void addDamaged(long consumerDamaged) {
        damaged += consumerDamaged;
    }

    private ArrivedMessages arrivedOf(int producer) {
        return arrivedOf.computeIfAbsent(producer, p -> new ArrivedMessages());
    }

    /** Returns the result, once every consumer is closed. */
    public synchronized AuditPart.ArrivalCounts arrivals() {
        long ofSearch = measuredFrom == null ? 0 : duplicatedInSearch;
        Map<Integer, AuditPart.Arrived> arrived = new HashMap<>();
        arrivedOf.forEach((producer, messages) -> arrived.put(producer, messages.arrived()));
        return new AuditPart.ArrivalCounts(
                topic, subscription, arrived, received, duplicated - ofSearch, ofSearch, damaged);
    }
}
