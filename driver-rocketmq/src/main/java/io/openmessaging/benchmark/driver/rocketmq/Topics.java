package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one call has found out about topics, and the groups it has created, so that nothing is done twice. */
final class Topics {

    private final Cluster cluster;
    private final Deadline deadline;
    private final Map<String, TopicQueues> known = new HashMap<>();
    private final Set<String> groups = new HashSet<>();

    Topics(Cluster cluster, Deadline deadline) {
        this.cluster = cluster;
        this.deadline = deadline;
    }

    /** The queues of a topic. */
    TopicQueues queues(String topic) throws DriverException, InterruptedException {
        @Nullable TopicQueues before = known.get(topic);
        if (before != null) {
            return before;
        }
        TopicQueues found = cluster.queues(topic, deadline)
                .filter(queues -> queues.count() > 0)
                .orElseThrow(() -> new DriverException("RocketMQ has no topic '" + topic + "'"));
        known.put(topic, found);
        return found;
    }

    /** Creates a group; returns whether this was the first time. */
    boolean createGroup(String group) throws DriverException, InterruptedException {
        if (!groups.add(group)) {
            return false;
        }
        cluster.createGroup(group, deadline);
        return true;
    }
}
