package io.openmessaging.benchmark.audit;

import io.openmessaging.benchmark.availability.Availability;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of every message of a run: either all messages except those of a search for the sustainable rate, or
 * only those.
 *
 * @param producers number of producers that sent
 * @param producersInDoubt number of producers that were lost before they reported what they had sent: they count as
 *     having sent all messages up to their newest one that arrived anywhere; messages that they sent later are in no
 *     number here
 * @param sent messages handed to clients
 * @param failed messages refused or given up
 * @param subscriptions an entry for each subscription, all topics together
 */
public record AuditReport(
        int producers, int producersInDoubt, long sent, long failed, List<SubscriptionReport> subscriptions) {

    /**
     * The outcome of the copies for one subscription.
     *
     * @param subscription its index
     * @param expected messages that should arrive: sent and not failed, as far as was reported
     * @param received messages that arrived, including duplicates
     * @param lost expected messages that never arrived
     * @param undelivered expected messages that had not arrived when the run stopped waiting for them
     * @param inDoubt expected messages that are not known to have arrived, and of which nobody can know whether they
     *     are lost: a lost consumer may have received them, or a lost producer's client may have refused them
     * @param duplicated arrivals of messages that had arrived before
     * @param outOfOrder messages that arrived after a later one of the same producer and partition; those that several
     *     consumers received count as duplicated only; null if partitions cannot be told apart
     * @param failedButReceived messages that were reported as failed but arrived
     * @param unexpected arrivals with a sequence number that was never sent
     * @param firstLost the first few gaps, such as {@code producer 0: 17..19}
     * @param damaged arrivals with content other than what was sent, if that was checked
     */
    public record SubscriptionReport(
            int subscription,
            long expected,
            long received,
            long lost,
            long undelivered,
            long inDoubt,
            long duplicated,
            @Nullable Long outOfOrder,
            long failedButReceived,
            long unexpected,
            List<String> firstLost,
            long damaged) {}

    /** Reason that the wait for messages in flight ended: it determines whether missing messages are lost. */
    public enum WaitEnd {
        /** All messages had arrived, or none had for long: missing messages will never arrive. */
        SETTLED,
        /**
         * More messages might have arrived, in order within each partition at the only consumer of the subscription:
         * messages missing before the newest arrival are lost, the others are undelivered.
         */
        CUT_IN_ORDER,
        /** More messages might have arrived, in any order: missing messages are undelivered. */
        CUT
    }

    private static final int MAX_GAPS_SHOWN = 10;

    /** Returns this report without the number of messages out of order, for partitions that cannot be told apart. */
    public AuditReport withoutOrder() {
        return new AuditReport(
                producers,
                producersInDoubt,
                sent,
                failed,
                subscriptions.stream().map(AuditReport::withoutOrder).toList());
    }

    private static SubscriptionReport withoutOrder(SubscriptionReport of) {
        return new SubscriptionReport(
                of.subscription(),
                of.expected(),
                of.received(),
                of.lost(),
                of.undelivered(),
                of.inDoubt(),
                of.duplicated(),
                null,
                of.failedButReceived(),
                of.unexpected(),
                of.firstLost(),
                of.damaged());
    }

    /** Creates a report on producers that have reported everything. */
    public AuditReport(int producers, long sent, long failed, List<SubscriptionReport> subscriptions) {
        this(producers, 0, sent, failed, subscriptions);
    }

    /**
     * Compares sent with arrived messages; in a run with a search, the messages sent after it.
     *
     * @param parts what workers know, each by itself or together, in any order
     * @param topics the name of each topic with the numbers of its producers
     * @param subscriptionCount number of subscriptions of each topic
     * @param waitEnd reason that the wait for missing messages ended; its order refers to topics of one partition
     */
    public static AuditReport of(
            List<AuditPart> parts, Map<String, List<Integer>> topics, int subscriptionCount, WaitEnd waitEnd) {
        return of(MEASURED, parts, topics, subscriptionCount, waitEnd);
    }

    /** Compares like {@link #of}, but for the messages sent until a search had ended. */
    public static AuditReport ofSearch(
            List<AuditPart> parts, Map<String, List<Integer>> topics, int subscriptionCount, WaitEnd waitEnd) {
        return of(SEARCH, parts, topics, subscriptionCount, waitEnd);
    }

    /**
     * Compares like {@link #of}, but for messages with an intended send time from one slot to before another.
     * Duplicate and damaged arrivals, and those with a number that was never sent, are not counted, because their
     * times are not kept.
     *
     * @param parts parts with {@link AuditPart#availability()}
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

    /** The range of a producer's messages that are compared. */
    private interface SequenceBounds {

        long from(AuditPart.Dispatches dispatches);

        long to(AuditPart.Dispatches dispatches);

        /** Returns how many of them are in a set; numbers that were never sent belong to the last range. */
        default long countIn(SequenceSet numbers, AuditPart.Dispatches dispatches) {
            return numbers.countIn(from(dispatches), to(dispatches));
        }

        /** Returns how many messages with numbers that were never sent are counted in this range. */
        default long neverSent(SequenceSet numbers, AuditPart.Dispatches dispatches) {
            return 0;
        }

        /** Returns how many of them are known to have arrived twice at the worker. */
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
     * The messages that producers have sent.
     *
     * @param dispatchesOf what is known, by producer
     * @param inDoubt the producers that have not reported it
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

        /** Returns the newest message of each producer that has arrived anywhere. */
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

        /**
         * Derives what a producer has sent from its newest arrival. A producer numbers its messages consecutively, so
         * all messages before that one were sent.
         */
        private static AuditPart.Dispatches provenBy(long newest, int producer, long measuredFrom) {
            boolean lostInSearch = measuredFrom == Long.MAX_VALUE;
            long sent = lostInSearch ? newest + 1 : Math.max(newest + 1, measuredFrom);
            return new AuditPart.Dispatches(producer, sent, lostInSearch ? sent : measuredFrom, new SequenceSet());
        }
    }

    /** Returns the number of lost messages, over all subscriptions. */
    public long lost() {
        return sum(SubscriptionReport::lost);
    }

    /** Returns the number of undelivered messages, over all subscriptions. */
    public long undelivered() {
        return sum(SubscriptionReport::undelivered);
    }

    /** Returns the number of messages in doubt, over all subscriptions. */
    public long inDoubt() {
        return sum(SubscriptionReport::inDoubt);
    }

    /** Returns the number of duplicated arrivals, over all subscriptions. */
    public long duplicated() {
        return sum(SubscriptionReport::duplicated);
    }

    /** Returns the number of messages out of order, over all subscriptions; null if partitions cannot be told apart. */
    public @Nullable Long outOfOrder() {
        return sumIfKnown(
                subscriptions.stream().map(SubscriptionReport::outOfOrder).toList());
    }

    /** Returns the sum of counts; null if one of them is not known. */
    public static @Nullable Long sumIfKnown(List<@Nullable Long> counts) {
        return counts.stream().anyMatch(Objects::isNull)
                ? null
                : counts.stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the number of damaged arrivals, over all subscriptions. */
    public long damaged() {
        return sum(SubscriptionReport::damaged);
    }

    private long sum(ToLongFunction<SubscriptionReport> count) {
        return subscriptions.stream().mapToLong(count).sum();
    }

    /** The comparison for one subscription, over all topics and producers. */
    private static final class Comparison {

        private final SequenceBounds range;
        private final int subscription;
        private final WaitEnd waitEnd;
        private final Dispatched sentByAll;
        private final Map<String, Map<Integer, ArrivedMessages>> arrivedByTopic = new HashMap<>();

        /** Topics with a consumer that has not reported what it received. */
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

        /** Returns the sequence number below which missing messages are lost. */
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
