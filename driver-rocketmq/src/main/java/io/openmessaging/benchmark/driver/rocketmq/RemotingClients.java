package io.openmessaging.benchmark.driver.rocketmq;

import static io.openmessaging.benchmark.driver.rocketmq.RocketMqCalls.CALLS;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.ProducerSpec;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragely;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;

/** Creates remoting producers and consumers. Each has a connection of its own. */
final class RemotingClients extends Clients<RemotingConsumer> {

    RemotingClients(RocketMqConfig config, DriverContext context, Cluster cluster, ClientRelease release) {
        super(config, context, cluster, release);
    }

    @Override
    Map<String, String> topicAttributes() {
        return config.batchCQ() ? Map.of("+queue.type", "BatchCQ") : Map.of();
    }

    @Override
    RemotingProducer producer(ProducerSpec spec, TopicQueues queues) throws DriverException {
        String topic = spec.topic().name();
        DefaultMQProducer client = producerClient(context.runId() + "-producer-" + spec.id());
        SendsUnderWay sends =
                sends(client.getInstanceName(), () -> RemotingShutdown.run(instanceOf(client), client::shutdown));
        RemotingProducer producer = new RemotingProducer(spec.id(), client, topic, queues, sends);
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

    /** As the configuration asks for it, not started. */
    private DefaultMQProducer producerClient(String name) {
        DefaultMQProducer client = new DefaultMQProducer(name, new RequestHook(config));
        common(client, name);
        client.setMaxMessageSize(config.maxMessageSize());
        client.setSendMsgTimeout((int) config.sendTimeout().toMillis());
        client.setRetryTimesWhenSendAsyncFailed(config.retryTimesWhenSendAsyncFailed());
        client.setCompressMsgBodyOverHowmuch(config.compressMsgBodyOverHowmuch());
        client.setAutoBatch(config.autoBatch());
        client.setEnableBackpressureForAsyncMode(config.enableBackpressure());
        client.setBackPressureForAsyncSendNum(config.backpressureConcurrency());
        if (!config.senderPool()) {
            client.setAsyncSenderExecutor(new CallingThread());
        }
        return client;
    }

    /** What a producer has its connections in; null before it is started. Nothing else gives access to them. */
    @SuppressWarnings("deprecation")
    private static MQClientInstance instanceOf(DefaultMQProducer client) {
        return client.getDefaultMQProducerImpl().getMqClientFactory();
    }

    /** Its members begin with the first message there is, and are attached before there is one. */
    @Override
    void prepareGroup(String group, TopicQueues queues, Deadline deadline) {}

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
        return RemotingConsumer.start(client, spec, queues, release);
    }

    private void common(ClientConfig client, String instance) {
        client.setNamesrvAddr(String.join(";", config.nameServers()));
        client.setInstanceName(instance);
        client.setVipChannelEnabled(config.vipChannelEnabled());
    }

    @Override
    void awaitAttached(List<RemotingConsumer> consumers, Deadline deadline)
            throws DriverException, InterruptedException {
        new GroupAttachment(cluster).await(consumers, deadline);
    }
}
