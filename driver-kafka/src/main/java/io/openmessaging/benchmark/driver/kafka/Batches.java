package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Splits requests into batches that brokers handle within seconds. */
final class Batches {

    /** A controller refuses 10,000 or more in one request, and takes a second or two for that many. */
    private static final int COPIES = 1000;

    private static final int GROUPS = 500;

    private Batches() {}

    /**
     * Splits topics by their number of partition copies.
     *
     * @param replicas copies of each partition
     */
    static List<List<TopicSpec>> ofTopics(List<TopicSpec> topics, int replicas) {
        return of(topics, COPIES, topic -> (long) topic.partitions() * replicas);
    }

    static List<List<String>> ofGroups(List<String> ids) {
        return of(ids, GROUPS, id -> 1);
    }

    /**
     * Splits a list, in order, into parts whose weights add up to at most {@code most}; a heavier element is a part by
     * itself.
     */
    static <T> List<List<T>> of(List<T> all, long most, ToLongFunction<T> weight) {
        List<List<T>> batches = new ArrayList<>();
        int from = 0;
        long sum = 0;
        for (int i = 0; i < all.size(); i++) {
            long next = weight.applyAsLong(all.get(i));
            if (i > from && sum + next > most) {
                batches.add(all.subList(from, i));
                from = i;
                sum = 0;
            }
            sum += next;
        }
        if (from < all.size()) {
            batches.add(all.subList(from, all.size()));
        }
        return batches;
    }
}
