package io.openmessaging.benchmark.driver.rocketmq;

import static io.openmessaging.benchmark.driver.rocketmq.client.RocketMqCalls.CALLS;

import io.netty.util.concurrent.ImmediateEventExecutor;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.rocketmq.client.ClientRelease;
import io.openmessaging.benchmark.driver.rocketmq.client.RemotingShutdown;
import io.openmessaging.benchmark.driver.rocketmq.client.RocketMqProducer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragely;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.protocol.body.Connection;
import org.apache.rocketmq.remoting.protocol.body.ConsumerConnection;

/** Producers and consumers over the remoting protocol. Each has a connection of its own. */
final class RemotingConnection extends RocketMqConnection<RemotingConsumer> {

    RemotingConnection(RocketMqConfig config, DriverContext context, Cluster cluster, ClientRelease release) {
        super(config, context, cluster, release);
    }

    @Override
    Map<String, String> topicAttributes() {
        return config.batchCQ() ? Map.of("+queue.type", "BatchCQ") : Map.of();
    }

    @Override
    RocketMqProducer producer(ProducerSpec spec, TopicQueues queues) throws DriverException {
        String topic = spec.topic().name();
        String name = context.runId() + "-producer-" + spec.id();
        RemotingMessages messages = new RemotingMessages(spec, config.tags());
        if (config.transactions() == null) {
            DefaultMQProducer client = new DefaultMQProducer(name, new RequestHook(config));
            configure(client, name);
            return started(client, new RemotingSender(spec.id(), client, messages, queues), client::shutdown, topic);
        }
        TransactionMQProducer client = new TransactionMQProducer(name, new RequestHook(config));
        client.setTransactionListener(TransactionSender.COMMIT);
        configure(client, name);
        TransactionSender sender = new TransactionSender(client, messages, config.transactions());
        return started(client, sender, sender::close, topic);
    }

    private RocketMqProducer started(
            DefaultMQProducer client, RocketMqProducer.Sender sender, Runnable shutdown, String topic)
            throws DriverException {
        RocketMqProducer producer =
                producer(sender, client.getInstanceName(), () -> RemotingShutdown.run(instanceOf(client), shutdown));
        try {
            client.start();
            // Else the first message would wait for the way to its broker, and for the connection.
            MQClientInstance instance = instanceOf(client);
            instance.updateTopicRouteInfoFromNameServer(topic);
            instance.sendHeartbeatToAllBrokerWithLock();
            return producer;
        } catch (MQClientException e) {
            producer.abort();
            throw CALLS.refused("start a producer of the topic '" + topic + "'", e);
        }
    }

    /** As the driver file asks for it. */
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
            // The thread that sends. On the producer's own pool, messages overtake each other.
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

    /** What a producer has its connections in; null before it is started. Nothing else gives access to them. */
    @SuppressWarnings("deprecation")
    private static MQClientInstance instanceOf(DefaultMQProducer client) {
        return client.getDefaultMQProducerImpl().getMqClientFactory();
    }

    @Override
    RemotingConsumer consumer(ConsumerSpec spec, String group, TopicQueues queues) throws DriverException {
        DefaultMQPushConsumer client =
                new DefaultMQPushConsumer(group, new RequestHook(config), new AllocateMessageQueueAveragely());
        common(client, context.runId() + "-consumer-" + spec.id());
        // A new group begins with the first message there is: none that is sent from now on can be passed over.
        client.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        // One thread hands messages over in the order in which they come.
        client.setConsumeThreadMin(1);
        client.setConsumeThreadMax(1);
        client.setPullBatchSize(config.pullBatchSize());
        client.setConsumeMessageBatchMaxSize(config.consumeMessageBatchMaxSize());
        return RemotingConsumer.start(client, spec, Tags.any(config.tags()), queues, release);
    }

    private void common(ClientConfig client, String instance) {
        client.setNamesrvAddr(String.join(";", config.nameServers()));
        client.setInstanceName(instance);
        client.setUseTLS(config.tls() != null);
        client.setVipChannelEnabled(config.vipChannelEnabled());
        client.setPollNameServerInterval((int) config.pollNameServerInterval().toMillis());
        client.setHeartbeatBrokerInterval((int) config.heartbeatBrokerInterval().toMillis());
    }

    /** Members of their groups on other workers count, too. */
    @Override
    void awaitAttached(List<RemotingConsumer> consumers, Deadline deadline)
            throws DriverException, InterruptedException {
        Map<String, List<RemotingConsumer>> groups =
                consumers.stream().collect(Collectors.groupingBy(RemotingConsumer::group));
        for (Map.Entry<String, List<RemotingConsumer>> group : groups.entrySet()) {
            List<RemotingConsumer> ours = group.getValue();
            TopicQueues queues = ours.get(0).queues();
            deadline.await(
                    PAUSE_BETWEEN_LOOKS,
                    () -> areAttached(ours, group.getKey(), queues, deadline),
                    () -> "the consumers of the group '" + group.getKey() + "' to be attached: "
                            + ours.stream().mapToInt(RemotingConsumer::assigned).sum() + " of " + queues.count()
                            + " queues are assigned to them");
        }
    }

    private boolean areAttached(List<RemotingConsumer> consumers, String group, TopicQueues queues, Deadline deadline)
            throws DriverException, InterruptedException {
        boolean attached = true;
        for (MessageQueue oneOfBroker : queues.oneOfEachBroker()) {
            Optional<ConsumerConnection> known = cluster.group(group, oneOfBroker, deadline);
            if (known.isEmpty()) {
                return false;
            }
            List<String> members = known.get().getConnectionSet().stream()
                    .map(Connection::getClientId)
                    .sorted()
                    .toList();
            // All are asked, so that none has to be hurried only later.
            for (RemotingConsumer consumer : consumers) {
                attached &= consumer.isAttached(members, known.get());
            }
        }
        return attached;
    }
}
