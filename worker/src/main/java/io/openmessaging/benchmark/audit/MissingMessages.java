package io.openmessaging.benchmark.audit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The acknowledged messages that have not arrived everywhere, and which of them are found when their topics are read again.
 * Thread-safe: found by the threads of consumers while another one looks on.
 */
public final class MissingMessages {

    /**
     * What a subscription of a topic lacks, by producer.
     *
     * @param topic the topic's name
     * @param subscription the subscription's index
     */
    private record Gap(String topic, int subscription, Map<Integer, SequenceSet> missingOf) {}

    private final List<Gap> gaps = new ArrayList<>();

    /** What any subscription lacks and was not found yet, by producer. */
    private final Map<Integer, SequenceSet> sought = new HashMap<>();

    private final Map<Integer, SequenceSet> found = new HashMap<>();
    private long left;

    /**
     * Nothing is found yet.
     *
     * @param part what workers know; messages of which a worker that was lost would have known are not sought
     * @param topics the name of each topic with the numbers of its producers
     * @param subscriptionCount how many subscriptions each topic has
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

    /** Those that were sent, not refused, and did not come. */
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

    /** The topics of which a subscription lacks something, each once. */
    public List<String> topics() {
        return gaps.stream().map(Gap::topic).distinct().toList();
    }

    /** How many messages were not found yet, however many subscriptions lack them. */
    public synchronized long left() {
        return left;
    }

    /** A message has come again. */
    public synchronized void came(int producer, long sequence) {
        SequenceSet looked = sought.get(producer);
        if (looked != null && sequence >= 0 && looked.contains(sequence)) {
            looked.remove(sequence);
            found.computeIfAbsent(producer, p -> new SequenceSet()).add(sequence);
            left--;
        }
    }

    /** What was found, as if it had arrived at each subscription that lacked it. */
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
