package io.openmessaging.benchmark.audit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The acknowledged messages that have not arrived everywhere, and those of them that are found when their topics are
 * read again. Thread-safe: consumer threads report found messages while another thread reads the results.
 */
public final class MissingMessages {

    /**
     * The messages that a subscription of a topic lacks, by producer.
     *
     * @param topic the topic's name
     * @param subscription the subscription's index
     */
    private record Gap(String topic, int subscription, Map<Integer, SequenceSet> missingOf) {}

    private final List<Gap> gaps = new ArrayList<>();

    /** Messages that any subscription lacks and that were not found yet, by producer. */
    private final Map<Integer, SequenceSet> sought = new HashMap<>();

    private final Map<Integer, SequenceSet> found = new HashMap<>();
    private long left;

    /**
     * Determines the missing messages; none of them is found yet.
     *
     * @param part what workers know; messages that a lost worker sent, or should have received, are not sought
     * @param topics the name of each topic with the numbers of its producers
     * @param subscriptionCount number of subscriptions of each topic
     */
    public MissingMessages(AuditPart part, Map<String, List<Integer>> topics, int subscriptionCount) {
        topics.forEach((topic, producers) -> {
            for (int s = 0; s < subscriptionCount; s++) {
                AuditPart.SubscriptionKey place = new AuditPart.SubscriptionKey(topic, s);
                if (!part.unreported().consumers().contains(place)) {
                    add(new Gap(topic, s, missingOf(producers, part, place)));
                }
            }
        });
        left = sought.values().stream().mapToLong(SequenceSet::cardinality).sum();
    }

    private static Map<Integer, SequenceSet> missingOf(
            List<Integer> producers, AuditPart part, AuditPart.SubscriptionKey place) {
        Map<Integer, SequenceSet> missingOf = new HashMap<>();
        for (AuditPart.Dispatches dispatches : part.dispatches()) {
            if (producers.contains(dispatches.producer())) {
                SequenceSet missing = missing(dispatches, part, place);
                if (missing.cardinality() > 0) {
                    missingOf.put(dispatches.producer(), missing);
                }
            }
        }
        return missingOf;
    }

    /** Returns the messages that were sent, not refused, and did not arrive. */
    private static SequenceSet missing(
            AuditPart.Dispatches dispatches, AuditPart part, AuditPart.SubscriptionKey place) {
        SequenceSet missing = new SequenceSet();
        missing.addRange(0, dispatches.sent());
        missing.removeAll(dispatches.failed());
        part.arrivals().stream()
                .filter(arrivals -> arrivals.topic().equals(place.topic()))
                .filter(arrivals -> arrivals.subscription() == place.subscription())
                .map(arrivals -> arrivals.arrivedOf().get(dispatches.producer()))
                .forEach(arrived -> {
                    if (arrived != null) {
                        missing.removeAll(arrived.numbers());
                    }
                });
        return missing;
    }

    private void add(Gap gap) {
        if (!gap.missingOf.isEmpty()) {
            gaps.add(gap);
            gap.missingOf.forEach((producer, missing) ->
                    sought.computeIfAbsent(producer, p -> new SequenceSet()).addAll(missing));
        }
    }

    /** Returns the topics for which a subscription lacks messages, each once. */
    public List<String> topics() {
        return gaps.stream().map(Gap::topic).distinct().toList();
    }

    /** Returns the number of messages not found yet, however many subscriptions lack them. */
    public synchronized long left() {
        return left;
    }

    /** Notes a message that was read again. */
    public synchronized void came(int producer, long sequence) {
        SequenceSet looked = sought.get(producer);
        if (looked != null && sequence >= 0 && looked.contains(sequence)) {
            looked.remove(sequence);
            found.computeIfAbsent(producer, p -> new SequenceSet()).add(sequence);
            left--;
        }
    }

    /** Returns the found messages, as if they had arrived at each subscription that lacked them. */
    public synchronized AuditPart found() {
        return new AuditPart(List.of(), gaps.stream().map(this::found).toList());
    }

    private AuditPart.ArrivalCounts found(Gap gap) {
        Map<Integer, AuditPart.Arrived> arrivedOf = new HashMap<>();
        gap.missingOf.forEach((producer, missing) -> {
            SequenceSet here = missing.common(found.getOrDefault(producer, new SequenceSet()));
            arrivedOf.put(producer, new AuditPart.Arrived(here, new SequenceSet()));
        });
        return new AuditPart.ArrivalCounts(gap.topic, gap.subscription, arrivedOf, 0, 0, 0, 0);
    }
}
