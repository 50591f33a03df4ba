package io.openmessaging.benchmark.driver.rocketmq;

import static io.openmessaging.benchmark.driver.rocketmq.client.RocketMqCalls.CALLS;

import io.netty.util.concurrent.ImmediateEventExecutor;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.RocketMqSharedClients;
import io.openmessaging.benchmark.driver.rocketmq.client.ClientRelease;
import io.openmessaging.benchmark.driver.rocketmq.client.RemotingShutdown;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragely;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.jspecify.annotations.Nullable;

/**
 * Creates remoting clients as configured in the driver file. Clients with the same instance name share connections and
 * threads. Thread-safe.
 */
final class RemotingClients {

    private final RocketMqConfig config;
    private final String runId;
    private final ClientRelease release;

    /** Makes instance names unique, since other workers of the run may be on the same machine. */
    private final String worker = UUID.randomUUID().toString();

    /** Shared producers, by number. */
    private final Map<Integer, DefaultMQProducer> producers = new TreeMap<>();

    /** Number of consumers created here, by group. */
    private final Map<String, Integer> members = new ConcurrentHashMap<>();

    /** Creates no client yet. */
    RemotingClients(RocketMqConfig config, String runId, ClientRelease release) {
        this.config = config;
        this.runId = runId;
        this.release = release;
    }

    /** Returns a started client for the messages of a producer, shared if configured, with the route to the topic. */
    DefaultMQProducer producer(ProducerSpec spec) throws DriverException {
        @Nullable RocketMqSharedClients shared = config.sharedClients();
        DefaultMQProducer client =
                shared == null ? started(newProducer(own(spec)), spec) : shared(spec, shared.producers());
        prepare(client, spec);
        return client;
    }

    private synchronized DefaultMQProducer shared(ProducerSpec spec, int count) throws DriverException {
        int number = spec.id() % count;
        @Nullable DefaultMQProducer client = producers.get(number);
        if (client == null) {
            client = started(newProducer(runId + "-producers-" + number + "-" + worker), spec);
            producers.put(number, client);
        }
        return client;
    }

    /** Creates a client that sends in transactions. */
    TransactionMQProducer transactional(ProducerSpec spec) throws DriverException {
        String name = own(spec);
        TransactionMQProducer client = new TransactionMQProducer(name, new RequestHook(config));
        client.setTransactionListener(TransactionSender.COMMIT);
        configure(client, name);
        started(client, spec);
        prepare(client, spec);
        return client;
    }

    private String own(ProducerSpec spec) {
        return runId + "-producer-" + spec.id();
    }

    private DefaultMQProducer newProducer(String name) {
        DefaultMQProducer client = new DefaultMQProducer(name, new RequestHook(config));
        configure(client, name);
        return client;
    }

    private DefaultMQProducer started(DefaultMQProducer client, ProducerSpec spec) throws DriverException {
        try {
            client.start();
            return client;
        } catch (MQClientException e) {
            release.begin(client.getInstanceName(), () -> shutDown(client, client::shutdown));
            throw CALLS.refused("start a producer of the topic '" + spec.topic().name() + "'", e);
        }
    }

    /** Looks up the route and connects now; otherwise the first message would wait for both. */
    private static void prepare(DefaultMQProducer client, ProducerSpec spec) {
        MQClientInstance instance = instanceOf(client);
        instance.updateTopicRouteInfoFromNameServer(spec.topic().name());
        instance.sendHeartbeatToAllBrokerWithLock();
    }

    private void configure(DefaultMQProducer client, String name) {
        common(client, name);
        client.setMaxMessageSize(config.maxMessageSize());
        client.setSendMsgTimeout((int) config.sendTimeout().toMillis());
        client.setRetryTimesWhenSendAsyncFailed(config.retryTimesWhenSendAsyncFailed());
        client.setRetryTimesWhenSendFailed(config.retryTimesWhenSendAsyncFailed());
        client.setCompressMsgBodyOverHowmuch(config.compressMsgBodyOverHowmuch());
        batches(client);
        client.setEnableBackpressureForAsyncMode(config.enableBackpressure());
        client.setBackPressureForAsyncSendNum(config.backpressureConcurrency());
        if (!config.senderPool()) {
            // Runs sends on the sending thread. On the producer's own pool, messages overtake each other.
            client.setAsyncSenderExecutor(ImmediateEventExecutor.INSTANCE);
        }
    }

    private void batches(DefaultMQProducer client) {
        client.setAutoBatch(config.autoBatch());
        if (config.batchMaxBytes() != null) {
            client.batchMaxBytes(config.batchMaxBytes());
        }
        if (config.batchMaxDelayMs() != null) {
            client.batchMaxDelayMs(config.batchMaxDelayMs());
        }
        if (config.totalBatchMaxBytes() != null) {
            client.totalBatchMaxBytes(config.totalBatchMaxBytes());
        }
    }

    /** Creates a client for the messages of a consumer, not started, without subscription and listener. */
    DefaultMQPushConsumer consumer(ConsumerSpec spec, String group) {
        DefaultMQPushConsumer client =
                new DefaultMQPushConsumer(group, new RequestHook(config), new AllocateMessageQueueAveragely());
        common(client, instance(spec, group));
        // A new group starts at the oldest message, so it cannot miss any message sent from now on.
        client.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        // One thread delivers messages in the order of their arrival.
        client.setConsumeThreadMin(1);
        client.setConsumeThreadMax(1);
        client.setPullBatchSize(config.pullBatchSize());
        client.setConsumeMessageBatchMaxSize(config.consumeMessageBatchMaxSize());
        return client;
    }

    /**
     * Returns the name of a consumer's instance. An instance accepts one consumer of a group, so those of a group go
     * to different shared instances while there are any.
     */
    private String instance(ConsumerSpec spec, String group) {
        @Nullable RocketMqSharedClients shared = config.sharedClients();
        int before = shared == null ? 0 : members.merge(group, 1, Integer::sum) - 1;
        if (shared == null || before >= shared.consumers()) {
            return runId + "-consumer-" + spec.id();
        }
        int number = Math.floorMod(group.hashCode() + before, shared.consumers());
        return runId + "-consumers-" + number + "-" + worker;
    }

    private void common(ClientConfig client, String instance) {
        client.setNamesrvAddr(String.join(";", config.nameServers()));
        client.setInstanceName(instance);
        client.setUseTLS(config.tls() != null);
        client.setVipChannelEnabled(config.vipChannelEnabled());
        client.setPollNameServerInterval((int) config.pollNameServerInterval().toMillis());
        client.setHeartbeatBrokerInterval((int) config.heartbeatBrokerInterval().toMillis());
        // A heartbeat without an answer in time closes the connection: messages in flight are sent once more, and the
        // broker forgets the consumer until the next heartbeat.
        client.setMqClientApiTimeout(Math.max(
                client.getMqClientApiTimeout(), (int) config.sendTimeout().toMillis()));
    }

    /** Returns whether producers share clients, which only {@link #close} may shut down. */
    boolean shareProducers() {
        return config.sharedClients() != null;
    }

    /**
     * Shuts down a producer that is not shared.
     *
     * @param shutdown the client's own shutdown, and that of its sender
     */
    static void shutDown(DefaultMQProducer client, Runnable shutdown) {
        RemotingShutdown.run(instanceOf(client), shutdown);
    }

    /**
     * Returns the instance that holds a producer's connections; null before it is started. There is no other access to
     * it.
     */
    @SuppressWarnings("deprecation")
    private static MQClientInstance instanceOf(DefaultMQProducer client) {
        return client.getDefaultMQProducerImpl().getMqClientFactory();
    }

    /** Starts to shut down the shared producers. */
    synchronized void close() {
        for (DefaultMQProducer client : producers.values()) {
            release.begin(client.getInstanceName(), () -> shutDown(client, client::shutdown));
        }
        producers.clear();
    }
}
