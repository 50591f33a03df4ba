package io.openmessaging.benchmark.audit;

import io.openmessaging.benchmark.availability.Availability;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * What became of every message of a run, but for those of a search for the sustainable rate, or of those alone.
 *
 * @param producers how many producers sent
 * @param producersInDoubt how many of them were lost before they told what they had sent: they count as having sent what is
 *     needed for the newest message of theirs that arrived anywhere, and what they sent later is in no number here
 * @param sent messages handed to clients
 * @param failed messages refused or given up
 * @param subscriptions an entry for each subscription, all topics together
 */
public record AuditReport(
        int producers, int producersInDoubt, long sent, long failed, List<SubscriptionReport> subscriptions) {

    /**
     * What became of the copies for one subscription.
     *
     * @param subscription its index
     * @param expected messages that were to arrive: sent and not failed, as far as was told
     * @param received messages that arrived, duplicates included
     * @param lost expected messages that never arrived
     * @param undelivered expected messages that had not arrived when the run stopped waiting for them
     * @param inDoubt expected messages that are not known to have arrived, and of which nobody can tell whether they are
     *     lost: a consumer that was lost may have got them, or they may have been refused by a producer that was lost
     * @param duplicated arrivals of messages that had arrived before
     * @param outOfOrder messages that arrived after a later one of the same producer and partition; those that several
     *     consumers got are duplicated only
     * @param failedButReceived messages that were reported as failed and arrived nevertheless
     * @param unexpected arrivals with a sequence number that was never sent
     * @param firstLost the first few gaps, such as {@code producer 0: 17..19}
     * @param damaged arrivals with another content than was sent, if that was checked
     */
    public record SubscriptionReport(
            int subscription,
            long expected,
            long received,
            long lost,
            long undelivered,
            long inDoubt,
            long duplicated,
            long outOfOrder,
            long failedButReceived,
            long unexpected,
            List<String> firstLost,
            long damaged) {}

    /** How the wait for messages on their way ended: it decides whether what is missing is lost. */
    public enum WaitEnd {
        /** All had arrived, or nothing had moved for long: what is missing never comes. */
        SETTLED,
        /**
         * Messages may still have come, each partition's in order to the one consumer of the subscription: what is missing
         * before the newest that arrived is lost, the rest is undelivered.
         */
        CUT_IN_ORDER,
        /** Messages may still have come, in any order: what is missing is undelivered. */
        CUT
    }

    private static final int MAX_GAPS_SHOWN = 10;

    /** Of producers that have told everything. */
    public AuditReport(int producers, long sent, long failed, List<SubscriptionReport> subscriptions) {
        this(producers, 0, sent, failed, subscriptions);
    }

    /**
     * Compares what was sent with what has arrived; of a run with a search, what was sent after that.
     *
     * @param parts what workers know, each by itself or together, in any order
     * @param topics the name of each topic with the numbers of its producers
     * @param subscriptionCount how many subscriptions each topic has
     * @param waitEnd how the wait for what is missing ended; the order is that of a topic of one partition
     */
    public static AuditReport of(
            List<AuditPart> parts, Map<String, List<Integer>> topics, int subscriptionCount, WaitEnd waitEnd) {
        return of(MEASURED, parts, topics, subscriptionCount, waitEnd);
    }

    /** The same of what was sent until a search had ended. */
    public static AuditReport ofSearch(
            List<AuditPart> parts, Map<String, List<Integer>> topics, int subscriptionCount, WaitEnd waitEnd) {
        return of(SEARCH, parts, topics, subscriptionCount, waitEnd);
    }

    /**
     * The same of what was to be sent from one time to below another. Arrivals that came twice, damaged, or with a number that
     * was never sent are not counted: when they did is not kept.
     *
     * @param parts whose {@link AuditPart#availability()} was kept
     * @param fromSlot see {@link io.openmessaging.benchmark.availability.Slots}
     */
    public static AuditReport between(
            long fromSlot,
            long toSlot,
            List<AuditPart> parts,
            Map<String, List<Integer>> topics,
            int subscriptionCount,
            WaitEnd waitEnd) {
        Availability seen = parts.stream().map(AuditPart::availability).reduce(Availability.NONE, Availability::plus);
        return of(new Between(seen, fromSlot, toSlot), parts, topics, subscriptionCount, waitEnd);
    }

    /** Which of a producer's messages are compared. */
    private interface SequenceBounds {

        long from(AuditPart.Dispatches dispatches);

        long to(AuditPart.Dispatches dispatches);

        /** How many of them are in a set; those that were never sent belong to what was sent last. */
        default long countIn(SequenceSet numbers, AuditPart.Dispatches dispatches) {
            return numbers.countIn(from(dispatches), to(dispatches));
        }

        /** How many with numbers that were never sent are counted with them. */
        default long neverSent(SequenceSet numbers, AuditPart.Dispatches dispatches) {
            return 0;
        }

        /** How many are known to have come twice to the worker. */
        default long duplicated(AuditPart.ArrivalCounts arrivals) {
            return 0;
        }

        default long damaged(AuditPart.ArrivalCounts arrivals) {
            return 0;
        }
    }

    private static final SequenceBounds SEARCH = new SequenceBounds() {
        @Override
        public long from(AuditPart.Dispatches dispatches) {
            return 0;
        }

        @Override
        public long to(AuditPart.Dispatches dispatches) {
            return dispatches.measuredFrom();
        }

        @Override
        public long duplicated(AuditPart.ArrivalCounts arrivals) {
            return arrivals.duplicatedInSearch();
        }
    };

    private static final SequenceBounds MEASURED = new SequenceBounds() {
        @Override
        public long from(AuditPart.Dispatches dispatches) {
            return dispatches.measuredFrom();
        }

        @Override
        public long to(AuditPart.Dispatches dispatches) {
            return dispatches.sent();
        }

        @Override
        public long countIn(SequenceSet numbers, AuditPart.Dispatches dispatches) {
            return numbers.countFrom(dispatches.measuredFrom());
        }

        @Override
        public long neverSent(SequenceSet numbers, AuditPart.Dispatches dispatches) {
            return numbers.countFrom(dispatches.sent());
        }

        @Override
        public long duplicated(AuditPart.ArrivalCounts arrivals) {
            return arrivals.duplicated();
        }

        @Override
        public long damaged(AuditPart.ArrivalCounts arrivals) {
            return arrivals.damaged();
        }
    };

    private record Between(Availability seen, long fromSlot, long toSlot) implements SequenceBounds {

        @Override
        public long from(AuditPart.Dispatches dispatches) {
            return Math.min(dispatches.sent(), seen.firstSequence(dispatches.producer(), fromSlot));
        }

        @Override
        public long to(AuditPart.Dispatches dispatches) {
            return Math.min(dispatches.sent(), seen.firstSequence(dispatches.producer(), toSlot));
        }
    }

    private static AuditReport of(
            SequenceBounds range,
            List<AuditPart> parts,
            Map<String, List<Integer>> topics,
            int subscriptionCount,
            WaitEnd waitEnd) {
        Dispatched sentByAll = Dispatched.of(parts);
        List<SubscriptionReport> subscriptions = new ArrayList<>();
        for (int s = 0; s < subscriptionCount; s++) {
            subscriptions.add(new Comparison(range, parts, s, sentByAll, waitEnd).of(topics));
        }
        long sent = 0;
        long failed = 0;
        for (AuditPart.Dispatches dispatches : sentByAll.dispatchesOf.values()) {
            sent += range.to(dispatches) - range.from(dispatches);
            failed += range.countIn(dispatches.failed(), dispatches);
        }
        return new AuditReport(sentByAll.dispatchesOf.size(), sentByAll.inDoubt.size(), sent, failed, subscriptions);
    }

    /**
     * What producers have sent.
     *
     * @param dispatchesOf as far as that is known, by producer
     * @param inDoubt the producers that have not told it
     */
    private record Dispatched(Map<Integer, AuditPart.Dispatches> dispatchesOf, Set<Integer> inDoubt) {

        static Dispatched of(List<AuditPart> parts) {
            Map<Integer, AuditPart.Dispatches> dispatchesOf = new HashMap<>();
            parts.forEach(part -> part.dispatches().forEach(d -> dispatchesOf.put(d.producer(), d)));
            Map<Integer, Long> unreported = new HashMap<>();
            parts.forEach(part -> unreported.putAll(part.unreported().producers()));
            unreported.keySet().removeAll(dispatchesOf.keySet());
            if (!unreported.isEmpty()) {
                Map<Integer, Long> newestOf = newest(parts, unreported.keySet());
                unreported.forEach((producer, measuredFrom) -> dispatchesOf.put(
                        producer, provenBy(newestOf.getOrDefault(producer, -1L), producer, measuredFrom)));
            }
            return new Dispatched(dispatchesOf, Set.copyOf(unreported.keySet()));
        }

        /** The newest message of each of some producers that has arrived anywhere. */
        private static Map<Integer, Long> newest(List<AuditPart> parts, Set<Integer> producers) {
            Map<Integer, Long> newestOf = new HashMap<>();
            for (AuditPart part : parts) {
                for (AuditPart.ArrivalCounts arrivals : part.arrivals()) {
                    arrivals.arrivedOf().forEach((producer, arrived) -> {
                        if (producers.contains(producer)) {
                            newestOf.merge(producer, arrived.numbers().lastBelow(Long.MAX_VALUE), Math::max);
                        }
                    });
                }
            }
            return newestOf;
        }

        /** A producer numbers its messages one after the other: with one of them, all before it were sent. */
        private static AuditPart.Dispatches provenBy(long newest, int producer, long measuredFrom) {
            boolean lostInSearch = measuredFrom == Long.MAX_VALUE;
            long sent = lostInSearch ? newest + 1 : Math.max(newest + 1, measuredFrom);
            return new AuditPart.Dispatches(producer, sent, lostInSearch ? sent : measuredFrom, new SequenceSet());
        }
    }

    /** All that was lost, over all subscriptions. */
    public long lost() {
        return sum(SubscriptionReport::lost);
    }

    /** All that was undelivered, over all subscriptions. */
    public long undelivered() {
        return sum(SubscriptionReport::undelivered);
    }

    /** All that is in doubt, over all subscriptions. */
    public long inDoubt() {
        return sum(SubscriptionReport::inDoubt);
    }

    /** All that was duplicated, over all subscriptions. */
    public long duplicated() {
        return sum(SubscriptionReport::duplicated);
    }

    /** All that was out of order, over all subscriptions. */
    public long outOfOrder() {
        return sum(SubscriptionReport::outOfOrder);
    }

    /** All that was damaged, over all subscriptions. */
    public long damaged() {
        return sum(SubscriptionReport::damaged);
    }

    private long sum(ToLongFunction<SubscriptionReport> count) {
        return subscriptions.stream().mapToLong(count).sum();
    }

    /** One subscription, over all topics and producers. */
    private static final class Comparison {

        private final SequenceBounds range;
        private final int subscription;
        private final WaitEnd waitEnd;
        private final Dispatched sentByAll;
        private final Map<String, Map<Integer, ArrivedMessages>> arrivedByTopic = new HashMap<>();

        /** Topics of which a consumer has not told what it got. */
        private final Set<String> unreportedTopics = new HashSet<>();

        private final List<String> gaps = new ArrayList<>();
        private long expected;
        private long arrivedOnce;
        private long lost;
        private long undelivered;
        private long inDoubt;
        private long duplicated;
        private long outOfOrder;
        private long failedButReceived;
        private long unexpected;
        private long damaged;

        Comparison(
                SequenceBounds range, List<AuditPart> parts, int subscription, Dispatched sentByAll, WaitEnd waitEnd) {
            this.range = range;
            this.subscription = subscription;
            this.sentByAll = sentByAll;
            this.waitEnd = waitEnd;
            for (AuditPart part : parts) {
                part.unreported().consumers().stream()
                        .filter(place -> place.subscription() == subscription)
                        .forEach(place -> unreportedTopics.add(place.topic()));
                for (AuditPart.ArrivalCounts arrivals : part.arrivals()) {
                    if (arrivals.subscription() == subscription) {
                        add(arrivals);
                    }
                }
            }
        }

        private void add(AuditPart.ArrivalCounts arrivals) {
            duplicated += range.duplicated(arrivals);
            damaged += range.damaged(arrivals);
            Map<Integer, ArrivedMessages> ofTopic =
                    arrivedByTopic.computeIfAbsent(arrivals.topic(), t -> new HashMap<>());
            arrivals.arrivedOf().forEach((producer, arrived) -> {
                SequenceSet again = ofTopic.computeIfAbsent(producer, p -> new ArrivedMessages())
                        .addAll(arrived);
                AuditPart.Dispatches dispatches = sentByAll.dispatchesOf.get(producer);
                duplicated += dispatches == null ? 0 : range.countIn(again, dispatches);
            });
        }

        SubscriptionReport of(Map<String, List<Integer>> topics) {
            topics.forEach((topic, producers) -> {
                Map<Integer, ArrivedMessages> ofTopic = arrivedByTopic.getOrDefault(topic, Map.of());
                for (int producer : producers) {
                    AuditPart.Dispatches dispatches = sentByAll.dispatchesOf.get(producer);
                    if (dispatches != null) {
                        compare(
                                dispatches,
                                ofTopic.getOrDefault(producer, new ArrivedMessages())
                                        .arrived(),
                                unreportedTopics.contains(topic) || sentByAll.inDoubt.contains(producer));
                    }
                }
            });
            return new SubscriptionReport(
                    subscription,
                    expected,
                    arrivedOnce + duplicated,
                    lost,
                    undelivered,
                    inDoubt,
                    duplicated,
                    outOfOrder,
                    failedButReceived,
                    unexpected,
                    List.copyOf(gaps),
                    damaged);
        }

        private void compare(AuditPart.Dispatches dispatches, AuditPart.Arrived messages, boolean doubtful) {
            SequenceSet arrived = messages.numbers();
            long sent = range.to(dispatches) - range.from(dispatches);
            long failed = range.countIn(dispatches.failed(), dispatches);
            long arrivedThoughFailed = range.countIn(arrived.common(dispatches.failed()), dispatches);
            long neverSent = range.neverSent(arrived, dispatches);
            long arrivedHere = range.countIn(arrived, dispatches);
            long missing = sent - failed - (arrivedHere - neverSent - arrivedThoughFailed);
            outOfOrder += range.countIn(messages.outOfOrder(), dispatches);
            expected += sent - failed;
            arrivedOnce += arrivedHere;
            failedButReceived += arrivedThoughFailed;
            unexpected += neverSent;
            if (doubtful) {
                inDoubt += missing;
            } else if (missing > 0) {
                addMissing(missing, dispatches, messages);
            }
        }

        private void addMissing(long missing, AuditPart.Dispatches dispatches, AuditPart.Arrived messages) {
            SequenceSet accounted = new SequenceSet();
            accounted.addAll(messages.numbers());
            accounted.addAll(dispatches.failed());
            long from = range.from(dispatches);
            long lostBelow = lostBelow(dispatches, messages);
            long lostHere = lostBelow - from - accounted.countIn(from, lostBelow);
            lost += lostHere;
            undelivered += missing - lostHere;
            describeGaps(dispatches.producer(), accounted, from, lostBelow);
        }

        /** Below which sequence number what is missing is lost. */
        private long lostBelow(AuditPart.Dispatches dispatches, AuditPart.Arrived messages) {
            return switch (waitEnd) {
                case SETTLED -> range.to(dispatches);
                case CUT -> range.from(dispatches);
                case CUT_IN_ORDER ->
                    messages.outOfOrder().cardinality() > 0
                            ? range.from(dispatches)
                            : Math.max(
                                    range.from(dispatches), messages.numbers().lastBelow(range.to(dispatches)) + 1);
            };
        }

        private void describeGaps(int producer, SequenceSet accounted, long from, long below) {
            long gap = accounted.nextAbsent(from);
            while (gap < below && gaps.size() < MAX_GAPS_SHOWN) {
                long last = Math.min(below, accounted.nextPresent(gap)) - 1;
                gaps.add("producer " + producer + ": " + (last == gap ? "" + gap : gap + ".." + last));
                gap = accounted.nextAbsent(last + 1);
            }
        }
    }
}
