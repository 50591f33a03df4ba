package io.openmessaging.benchmark.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
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
    private final List<ConsumerAudit> open = new ArrayList<>();
    private long received;

    /** Without those that a consumer that is still open knows of itself. */
    private long duplicated;

    /** What of those belongs to a search, if there is one. */
    private long duplicatedInSearch;

    private long knownDuplicated;
    private long damaged;
    private volatile long @Nullable [] measuredFrom;

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

    /** The subscription's index. */
    public int subscription() {
        return subscription;
    }

    /**
     * What was sent until now belongs to a search. Called after all workers have stopped sending and before any of them
     * sends again; messages of the search may still come meanwhile and afterwards. Called again where what was sent since
     * turned out to belong to it, too.
     *
     * @param measuredFromOf the number of the first message of the measurement, for each producer of the run, this worker's
     *     and others'; {@link Long#MAX_VALUE} for one that was lost. Kept, and shared by all that are given it
     */
    public synchronized void endSearch(long[] measuredFromOf) {
        if (!Arrays.equals(measuredFrom, measuredFromOf)) {
            measuredFrom = measuredFromOf;
            duplicatedInSearch = duplicated;
        }
    }

    /** The number of the first message of the measurement, for each producer; null as long as no search has ended. */
    long @Nullable [] measuredFrom() {
        return measuredFrom;
    }

    /** Whether a message was sent in a search, or, as long as that is not known, might have been. */
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

    /** A message has come after a later one; does nothing and returns false if it is known to have come before. */
    synchronized boolean addLate(int producer, long sequence) {
        return arrivedOf(producer).addLate(sequence);
    }

    /** Adds what a consumer that is being closed has got of a producer. */
    synchronized void addReceived(long ofConsumer) {
        received += ofConsumer;
    }

    synchronized void join(ConsumerAudit consumer) {
        open.add(consumer);
    }

    /** A consumer is closed. */
    synchronized void leave(ConsumerAudit consumer) {
        if (open.remove(consumer)) {
            duplicated += consumer.duplicated();
            duplicatedInSearch += consumer.duplicatedInSearch();
        }
    }

    /**
     * How many messages came again, as far as that can be told while consumers still get some; never less than before.
     *
     * <p>Each consumer knows what came to itself again. What came to two of them shows where their newest runs overlap, or
     * where one of them reaches into what has been handed over. Only what both have got in pieces, and not handed over
     * yet, is not known: at most some 30,000 messages of a producer.
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

    /** What several of the runs have, and what they have of what was handed over: each number counts once less than it is there. */
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

    /** Adds the messages whose content was damaged, of a consumer that is closed. */
    synchronized void addDamaged(long consumerDamaged) {
        damaged += consumerDamaged;
    }

    private ArrivedMessages arrivedOf(int producer) {
        return arrivedOf.computeIfAbsent(producer, p -> new ArrivedMessages());
    }

    /** The findings, once every consumer is closed. */
    public synchronized AuditPart.ArrivalCounts arrivals() {
        long ofSearch = measuredFrom == null ? 0 : duplicatedInSearch;
        Map<Integer, AuditPart.Arrived> arrived = new HashMap<>();
        arrivedOf.forEach((producer, messages) -> arrived.put(producer, messages.arrived()));
        return new AuditPart.ArrivalCounts(
                topic, subscription, arrived, received, duplicated - ofSearch, ofSearch, damaged);
    }
}
