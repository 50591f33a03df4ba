package io.openmessaging.benchmark.driver.rocketmq.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.protocol.route.BrokerData;
import org.apache.rocketmq.remoting.protocol.route.QueueData;
import org.apache.rocketmq.remoting.protocol.route.TopicRouteData;

/**
 * The queues of a topic, which are its partitions: ordered by broker name, then by queue ID, so that all clients
 * number them alike. Immutable.
 */
public final class TopicQueues {

    private final List<MessageQueue> queues;
    private final Map<String, String> masters;
    private final Map<MessageQueue, Integer> partitions = new HashMap<>();

    private TopicQueues(List<MessageQueue> queues, Map<String, String> masters) {
        this.queues = List.copyOf(queues);
        this.masters = Map.copyOf(masters);
        for (int i = 0; i < queues.size(); i++) {
            partitions.put(queues.get(i), i);
        }
    }

    /** Creates the queues from a name server's answer; only queues that can be written and read. */
    public static TopicQueues of(String topic, TopicRouteData route) {
        List<MessageQueue> queues = new ArrayList<>();
        for (QueueData ofBroker : route.getQueueDatas()) {
            int count = Math.min(ofBroker.getReadQueueNums(), ofBroker.getWriteQueueNums());
            for (int id = 0; id < count; id++) {
                queues.add(new MessageQueue(topic, ofBroker.getBrokerName(), id));
            }
        }
        Collections.sort(queues);
        return new TopicQueues(queues, masters(route));
    }

    private static Map<String, String> masters(TopicRouteData route) {
        Map<String, String> masters = new HashMap<>();
        for (BrokerData broker : route.getBrokerDatas()) {
            String address = broker.getBrokerAddrs().get(MixAll.MASTER_ID);
            if (address != null) {
                masters.put(broker.getBrokerName(), address);
            }
        }
        return masters;
    }

    /**
     * Returns the number of queues for each broker, evenly; brokers that get none are left out. Topics with fewer
     * queues than there are brokers start at different brokers.
     */
    public static Map<String, Integer> spread(String topic, int partitions, List<String> brokers) {
        Map<String, Integer> counts = new TreeMap<>();
        int first = Math.floorMod(topic.hashCode(), brokers.size());
        for (int i = 0; i < Math.min(partitions, brokers.size()); i++) {
            int count = partitions / brokers.size() + (i < partitions % brokers.size() ? 1 : 0);
            counts.put(brokers.get((first + i) % brokers.size()), count);
        }
        return counts;
    }

    /** Returns the queues in the order of the partitions. */
    public List<MessageQueue> all() {
        return queues;
    }

    /** Returns the address of the master of each partition; {@code ""} where there is none now. */
    public List<String> leaders() {
        return queues.stream()
                .map(queue -> masters.getOrDefault(queue.getBrokerName(), ""))
                .toList();
    }

    /** Returns one queue of every broker that has any. */
    public List<MessageQueue> oneOfEachBroker() {
        Map<String, MessageQueue> byBroker = new TreeMap<>();
        queues.forEach(queue -> byBroker.putIfAbsent(queue.getBrokerName(), queue));
        return List.copyOf(byBroker.values());
    }

    /** Returns the number of partitions. */
    public int count() {
        return queues.size();
    }

    /** Returns the partition of a queue; -1 if it is not a queue of this topic. */
    public int partition(MessageQueue queue) {
        return partitions.getOrDefault(queue, -1);
    }
}
