package io.openmessaging.benchmark.driver.rocketmq;

import static io.openmessaging.benchmark.driver.rocketmq.client.RocketMqCalls.CALLS;
import static java.util.Objects.requireNonNull;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rocketmq.client.RemotingShutdown;
import io.openmessaging.benchmark.driver.rocketmq.client.TopicQueues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.exception.RemotingConnectException;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.apache.rocketmq.remoting.protocol.body.ClusterInfo;
import org.apache.rocketmq.remoting.protocol.body.ConsumerConnection;
import org.apache.rocketmq.remoting.protocol.body.GroupList;
import org.apache.rocketmq.remoting.protocol.header.QueryConsumerOffsetRequestHeader;
import org.apache.rocketmq.remoting.protocol.header.UpdateConsumerOffsetRequestHeader;
import org.apache.rocketmq.remoting.protocol.route.BrokerData;
import org.apache.rocketmq.remoting.protocol.subscription.SubscriptionGroupConfig;
import org.jspecify.annotations.Nullable;

/**
 * Name servers, masters and slaves of one cluster, as an administrator sees them. Every method ends by its deadline.
 * Thread-safe, except for {@link #find}.
 */
final class Cluster {

    /**
     * Longest wait for a connection. RocketMQ's default of 3 s is too short for a JVM that has just started on a busy
     * machine.
     */
    private static final int CONNECT_LIMIT_MS = 10_000;

    private static final int BEYOND_DEADLINE_MS = 1_000;

    /** Number of attempts for requests that a broker may fail at random. */
    static final int ATTEMPTS = 5;

    /** Largest number of topics or groups per request, of a few hundred bytes each. */
    private static final int MOST_OF_A_REQUEST = 1000;

    private static final String DISTURBED = ConcurrentModificationException.class.getName();

    private final RocketMqConfig config;
    private final MQClientAPIImpl client;

    /** Brokers by name, those that have a master now, with the addresses of all of their replicas by number. */
    private volatile Map<String, Map<Long, String>> brokers = Map.of();

    private volatile boolean controlled;

    private Cluster(RocketMqConfig config, MQClientAPIImpl client) {
        this.config = config;
        this.client = client;
    }

    /** Creates a client that is not connected yet. */
    static Cluster of(RocketMqConfig config, Duration timeout) {
        if (config.tls() != null) {
            config.tls().enforce();
        }
        NettyClientConfig netty = new NettyClientConfig();
        netty.setUseTLS(config.tls() != null);
        // Each name server gets its share, so that a silent one leaves time for the next.
        netty.setConnectTimeoutMillis((int) Math.min(
                CONNECT_LIMIT_MS, timeout.toMillis() / config.nameServers().size()));
        ClientConfig clientConfig = new ClientConfig();
        clientConfig.setVipChannelEnabled(config.vipChannelEnabled());
        MQClientAPIImpl client = new MQClientAPIImpl(netty, null, new RequestHook(config), clientConfig);
        client.updateNameServerAddressList(String.join(";", config.nameServers()));
        client.start();
        return new Cluster(config, client);
    }

    /** Shuts the client down; swallows an interrupt. */
    void close() {
        RemotingShutdown.run(client, client::shutdown);
    }

    /** A request to the cluster. */
    interface Call<T> {
        T run(long timeoutMs) throws Exception;
    }

    private static <T> T ask(String attempt, Deadline deadline, Call<T> call)
            throws DriverException, InterruptedException {
        // The client gets a little more time, so that our deadline is the one reported.
        return CALLS.ask(attempt, deadline, () -> call.run(deadline.leftMs() + BEYOND_DEADLINE_MS));
    }

    /** Turns an answer with this code into an empty result. */
    private static <T> Call<Optional<T>> unless(int code, Call<T> call) {
        return timeoutMs -> {
            try {
                return Optional.of(call.run(timeoutMs));
            } catch (MQClientException e) {
                return emptyIf(e.getResponseCode() == code, e);
            } catch (MQBrokerException e) {
                return emptyIf(e.getResponseCode() == code, e);
            }
        };
    }

    private static <T> Optional<T> emptyIf(boolean expected, Exception error) throws Exception {
        if (expected) {
            return Optional.empty();
        }
        throw error;
    }

    /** A command to a broker or a name server. */
    private interface Order {
        void to(String address, long timeoutMs) throws Exception;
    }

    private static void order(String attempt, String role, Collection<String> addresses, Deadline deadline, Order order)
            throws DriverException, InterruptedException {
        for (String address : addresses) {
            ask(attempt + " on the " + role + " at " + address, deadline, timeoutMs -> {
                order.to(address, timeoutMs);
                return true;
            });
        }
    }

    private void orderMasters(String attempt, Deadline deadline, Order order)
            throws DriverException, InterruptedException {
        order(attempt, "broker", masters(), deadline, order);
    }

    /** Repeats a call at once while it fails for a reason that passes, up to {@value #ATTEMPTS} attempts in total. */
    static <T> Call<T> repeated(Predicate<Exception> passes, Call<T> call) {
        return timeoutMs -> {
            for (int attempt = 1; ; attempt++) {
                try {
                    return call.run(timeoutMs);
                } catch (MQBrokerException | RemotingConnectException e) {
                    if (attempt == ATTEMPTS || !passes.test(e)) {
                        throw e;
                    }
                }
            }
        };
    }

    /** A broker (5.5.0) that iterates over its table of consumers fails if one joins, leaves or commits meanwhile. */
    static boolean isDisturbed(Exception error) {
        return error instanceof MQBrokerException broker
                && String.valueOf(broker.getErrorMessage()).contains(DISTURBED);
    }

    /**
     * The client (5.5.0) gives up after {@value #CONNECT_LIMIT_MS} ms, or after 3 s if another of its threads connects:
     * both happen on a busy machine.
     */
    static boolean isNotConnected(Exception error) {
        return error instanceof RemotingConnectException;
    }

    /** Looks up the brokers: with replicas, another one may be the master by now. */
    void find(Deadline deadline) throws DriverException, InterruptedException {
        String nameServers = String.join(";", config.nameServers());
        ClusterInfo info = ask(
                "reach RocketMQ's name server at " + nameServers,
                deadline,
                repeated(Cluster::isNotConnected, client::getBrokerClusterInfo));
        String name = clusterName(info, nameServers);
        Map<String, Map<Long, String>> found = new TreeMap<>();
        for (String broker : info.getClusterAddrTable().getOrDefault(name, Set.of())) {
            @Nullable BrokerData data = info.getBrokerAddrTable().get(broker);
            if (data != null && data.getBrokerAddrs().containsKey(MixAll.MASTER_ID)) {
                found.put(broker, new TreeMap<>(data.getBrokerAddrs()));
            }
        }
        brokers = found;
        if (found.isEmpty()) {
            throw new DriverException("No broker of RocketMQ's cluster '" + name
                    + "' is writable, according to the name server at " + nameServers);
        }
    }

    private String clusterName(ClusterInfo info, String nameServers) throws DriverException {
        Set<String> known = info.getClusterAddrTable() == null
                ? Set.of()
                : info.getClusterAddrTable().keySet();
        if (known.isEmpty()) {
            throw new DriverException("RocketMQ's name server at " + nameServers + " lists no broker");
        }
        if (config.clusterName() != null && !known.contains(config.clusterName())) {
            throw new DriverException("RocketMQ's name server at " + nameServers + " lists no cluster '"
                    + config.clusterName() + "' (clusterName); it lists " + String.join(", ", known));
        }
        if (config.clusterName() == null && known.size() > 1) {
            throw new DriverException("RocketMQ's name server at " + nameServers
                    + " lists several clusters; set clusterName to one of them: " + String.join(", ", known));
        }
        return config.clusterName() == null ? known.iterator().next() : config.clusterName();
    }

    /** Returns the addresses of the masters, in the order of their names. */
    List<String> masters() {
        return brokers.values().stream().map(Cluster::master).toList();
    }

    private static String master(Map<Long, String> replicas) {
        return requireNonNull(replicas.get(MixAll.MASTER_ID));
    }

    /** Returns the addresses of all brokers, in the order of their names, the master first of each. */
    List<String> addresses() {
        return brokers.values().stream()
                .flatMap(replicas -> replicas.values().stream())
                .toList();
    }

    /** Returns the number of copies of a message: one, and one for each slave. */
    int replicas() {
        return brokers.values().stream().mapToInt(Map::size).min().orElse(0);
    }

    private String address(String broker) throws DriverException {
        @Nullable Map<Long, String> replicas = brokers.get(broker);
        if (replicas == null) {
            throw new DriverException("RocketMQ's broker '" + broker + "' has no master");
        }
        return master(replicas);
    }

    /** Returns whether a controller lets a slave take its master's place. */
    boolean isControlled() {
        return controlled;
    }

    /**
     * Compares the settings of each master with the driver file. Asks all of them, so that a master that does not
     * answer, or does not know the user, is noticed before the run.
     */
    void checkExpectations(Deadline deadline) throws DriverException, InterruptedException {
        List<String> unmet = new ArrayList<>();
        for (String address : masters()) {
            Properties settings = settings(address, deadline);
            controlled |= Boolean.parseBoolean(settings.getProperty(MasterPromise.CONTROLLED));
            compare(unmet, MasterPromise.FLUSH, config.flushDiskType(), address, settings);
            compare(unmet, MasterPromise.ROLE, config.brokerRole(), address, settings);
        }
        if (!unmet.isEmpty()) {
            throw new DriverException("RocketMQ is not set up as the driver file expects: " + String.join("; ", unmet));
        }
    }

    private static void compare(
            List<String> unmet, String key, @Nullable Enum<?> expected, String address, Properties settings) {
        String actual = settings.getProperty(key, "unknown");
        if (expected != null && !expected.name().equals(actual)) {
            unmet.add(key + " is expected to be " + expected + ", but the broker at " + address + " has " + actual);
        }
    }

    /** Returns the release of the first master, such as {@code 5.5.0}. */
    String version(Deadline deadline) throws DriverException, InterruptedException {
        String address = masters().get(0);
        Map<String, String> info = ask(
                "ask the broker at " + address + " for its version",
                deadline,
                timeoutMs -> client.getBrokerRuntimeInfo(address, timeoutMs).getTable());
        String version = info.getOrDefault("brokerVersionDesc", "unknown");
        return version.startsWith("V") ? version.substring(1).replace('_', '.') : version;
    }

    /** Returns the settings of a master. */
    Properties settings(String address, Deadline deadline) throws DriverException, InterruptedException {
        return ask(
                "ask the broker at " + address + " for its settings",
                deadline,
                timeoutMs -> client.getBrokerConfig(address, timeoutMs));
    }

    // Topics

    /** Returns the queues of a topic; empty if there is no such topic. */
    Optional<TopicQueues> queues(String topic, Deadline deadline) throws DriverException, InterruptedException {
        return ask(
                        "look for the topic '" + topic + "'",
                        deadline,
                        unless(
                                ResponseCode.TOPIC_NOT_EXIST,
                                timeoutMs -> client.getTopicRouteInfoFromNameServer(topic, timeoutMs)))
                .map(route -> TopicQueues.of(topic, route));
    }

    /**
     * Creates or changes topics, each on the brokers that get a part of it. Sends many in a request, since a broker
     * writes all of its topics to disk after each request.
     */
    void createTopics(Collection<TopicSpec> topics, Map<String, String> attributes, Deadline deadline)
            throws DriverException, InterruptedException {
        Map<String, List<TopicConfig>> byBroker = new TreeMap<>();
        for (TopicSpec topic : topics) {
            TopicQueues.spread(topic.name(), topic.partitions(), List.copyOf(brokers.keySet()))
                    .forEach((broker, queues) -> {
                        TopicConfig wanted = new TopicConfig(topic.name(), queues, queues);
                        wanted.setAttributes(attributes);
                        byBroker.computeIfAbsent(broker, name -> new ArrayList<>())
                                .add(wanted);
                    });
        }
        for (Map.Entry<String, List<TopicConfig>> wanted : byBroker.entrySet()) {
            for (List<TopicConfig> some : batches(wanted.getValue())) {
                order(
                        "create " + some.size() + " topics, the first of them '"
                                + some.get(0).getTopicName() + "',",
                        "broker",
                        List.of(address(wanted.getKey())),
                        deadline,
                        (address, timeoutMs) -> client.createTopicList(address, some, timeoutMs));
            }
        }
    }

    private static <T> List<List<T>> batches(List<T> all) {
        List<List<T>> batches = new ArrayList<>();
        for (int from = 0; from < all.size(); from += MOST_OF_A_REQUEST) {
            batches.add(all.subList(from, Math.min(all.size(), from + MOST_OF_A_REQUEST)));
        }
        return batches;
    }

    /**
     * Returns whether every slave knows those of these topics that its master has. Slaves request them every ten
     * seconds or so, and one that becomes the master earlier does not know them.
     */
    boolean slavesKnow(Set<String> topics, Deadline deadline) throws DriverException, InterruptedException {
        for (Map<Long, String> replicas : brokers.values()) {
            Set<String> wanted = topicsOn(master(replicas), deadline);
            wanted.retainAll(topics);
            for (String address : replicas.values()) {
                if (!topicsOn(address, deadline).containsAll(wanted)) {
                    return false;
                }
            }
        }
        return true;
    }

    private Set<String> topicsOn(String address, Deadline deadline) throws DriverException, InterruptedException {
        return ask(
                "ask the broker at " + address + " for its topics",
                deadline,
                timeoutMs -> new HashSet<>(client.getAllTopicConfig(address, timeoutMs)
                        .getTopicConfigTable()
                        .keySet()));
    }

    /** Deletes a topic everywhere; a missing one is no error. */
    void deleteTopic(String topic, Deadline deadline) throws DriverException, InterruptedException {
        String attempt = "delete the topic '" + topic + "'";
        orderMasters(attempt, deadline, (address, ms) -> client.deleteTopicInBroker(address, topic, ms));
        order(
                attempt,
                "name server",
                config.nameServers(),
                deadline,
                (address, ms) -> client.deleteTopicInNameServer(address, topic, ms));
    }

    // Groups

    /** Creates groups on every master. */
    void createGroups(List<String> groups, Deadline deadline) throws DriverException, InterruptedException {
        for (List<String> some : batches(groups)) {
            List<SubscriptionGroupConfig> wanted =
                    some.stream().map(Cluster::groupConfig).toList();
            orderMasters(
                    "create " + some.size() + " consumer groups, the first of them '" + some.get(0) + "',",
                    deadline,
                    (address, timeoutMs) -> client.createSubscriptionGroupList(address, wanted, timeoutMs));
        }
    }

    private static SubscriptionGroupConfig groupConfig(String name) {
        SubscriptionGroupConfig config = new SubscriptionGroupConfig();
        config.setGroupName(name);
        return config;
    }

    /** Returns the groups that have read a topic, or are about to. */
    Set<String> groupsOf(String topic, Deadline deadline) throws DriverException, InterruptedException {
        Set<String> groups = new HashSet<>();
        for (String address : masters()) {
            GroupList found = ask(
                    "ask the broker at " + address + " for the groups that read the topic '" + topic + "'",
                    deadline,
                    repeated(
                            Cluster::isDisturbed,
                            timeoutMs -> client.queryTopicConsumeByWho(address, topic, timeoutMs)));
            groups.addAll(found.getGroupList());
        }
        return groups;
    }

    /** Deletes a group everywhere, with its offsets and its retry topic. */
    void deleteGroup(String group, Deadline deadline) throws DriverException, InterruptedException {
        orderMasters(
                "delete the consumer group '" + group + "'",
                deadline,
                (address, timeoutMs) -> client.deleteSubscriptionGroup(address, group, true, timeoutMs));
        deleteTopic(MixAll.getRetryTopic(group), deadline);
    }

    /** Returns the members of a group, as the broker with a queue knows them; empty while there are none. */
    Optional<ConsumerConnection> group(String group, MessageQueue queue, Deadline deadline)
            throws DriverException, InterruptedException {
        String address = address(queue.getBrokerName());
        String attempt = "ask the broker at " + address + " for the consumers of the group '" + group + "'";
        return ask(
                attempt,
                deadline,
                unless(
                        ResponseCode.CONSUMER_NOT_ONLINE,
                        timeoutMs -> client.getConsumerConnectionList(address, group, timeoutMs)));
    }

    /** The position at which a group starts to read a queue. */
    enum Begin {
        /** At the oldest message. */
        OLDEST,
        /** After the newest message at present. */
        END
    }

    /** Sets the start position of a group that has no offset for a queue yet. */
    void fixBegin(String group, MessageQueue queue, Begin begin, Deadline deadline)
            throws DriverException, InterruptedException {
        String address = address(queue.getBrokerName());
        ask("set where the group '" + group + "' starts to read " + queue, deadline, timeoutMs -> {
            if (!hasOffset(address, group, queue, timeoutMs)) {
                long offset = begin == Begin.END
                        ? client.getMaxOffset(address, queue, timeoutMs)
                        : client.getMinOffset(address, queue, timeoutMs);
                UpdateConsumerOffsetRequestHeader header = new UpdateConsumerOffsetRequestHeader();
                header.setConsumerGroup(group);
                header.setTopic(queue.getTopic());
                header.setQueueId(queue.getQueueId());
                header.setCommitOffset(offset);
                header.setBrokerName(queue.getBrokerName());
                client.updateConsumerOffset(address, header, timeoutMs);
            }
            return true;
        });
    }

    private boolean hasOffset(String address, String group, MessageQueue queue, long timeoutMs) throws Exception {
        QueryConsumerOffsetRequestHeader header = new QueryConsumerOffsetRequestHeader();
        header.setConsumerGroup(group);
        header.setTopic(queue.getTopic());
        header.setQueueId(queue.getQueueId());
        header.setBrokerName(queue.getBrokerName());
        // Otherwise the broker answers 0 for a queue whose first messages it still has.
        header.setSetZeroIfNotFound(false);
        return unless(ResponseCode.QUERY_NOT_FOUND, limitMs -> client.queryConsumerOffset(address, header, limitMs))
                .run(timeoutMs)
                .filter(offset -> offset >= 0)
                .isPresent();
    }
}
