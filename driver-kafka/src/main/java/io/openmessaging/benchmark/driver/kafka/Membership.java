package io.openmessaging.benchmark.driver.kafka;

import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * What a consumer knows of its place in its group.
 *
 * @param memberId by which the broker knows it
 * @param partitions those assigned to it, with a position fixed in each of them; may be none
 */
record Membership(String memberId, Set<TopicPartition> partitions) {

    Membership {
        partitions = Set.copyOf(partitions);
    }
}
