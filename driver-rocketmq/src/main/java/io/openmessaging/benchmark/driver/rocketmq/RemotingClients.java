package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.DriverContext;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragely;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.jspecify.annotations.Nullable;

/** Makes remoting clients as the configuration asks for them. Each has a connection of its own. */
final class RemotingClients {

    private final RocketMqConfig config;
    private final String runId;

    RemotingClients(RocketMqConfig config, DriverContext context) {
        this.config = config;
        this.runId = context.runId();
    }

    /** A producer, not started. */
    DefaultMQProducer producer(int id) {
        String name = runId + "-producer-" + id;
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

    /** A consumer without subscription, not started. */
    DefaultMQPushConsumer consumer(int id, String group) {
        DefaultMQPushConsumer client =
                new DefaultMQPushConsumer(group, new RequestHook(config), new AllocateMessageQueueAveragely());
        common(client, runId + "-consumer-" + id);
        // A new group begins with the first message there is: none that is sent from now on can be passed over.
        client.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        // One thread hands messages over in the order in which they come.
        client.setConsumeThreadMin(1);
        client.setConsumeThreadMax(1);
        client.setPullBatchSize(config.pullBatchSize());
        client.setConsumeMessageBatchMaxSize(config.consumeMessageBatchMaxSize());
        return client;
    }

    /** Shuts a producer down, started or not. */
    static void shutdown(DefaultMQProducer client) {
        @Nullable MQClientInstance instance = instanceOf(client);
        if (instance == null) {
            client.shutdown();
        } else {
            RemotingShutdown.run(instance.getMQClientAPIImpl(), client::shutdown);
        }
    }

    /** What a producer has its connections in; null before it is started. Nothing else gives access to them. */
    @SuppressWarnings("deprecation")
    static MQClientInstance instanceOf(DefaultMQProducer client) {
        return client.getDefaultMQProducerImpl().getMqClientFactory();
    }

    private void common(ClientConfig client, String instance) {
        client.setNamesrvAddr(String.join(";", config.nameServers()));
        client.setInstanceName(instance);
        client.setVipChannelEnabled(config.vipChannelEnabled());
    }
}
