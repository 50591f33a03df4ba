package io.openmessaging.benchmark.driver.rocketmq;

import static io.openmessaging.benchmark.driver.rocketmq.RocketMqCalls.CALLS;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyContext;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.consumer.DefaultMQPushConsumerImpl;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.protocol.heartbeat.SubscriptionData;
import org.jspecify.annotations.Nullable;

/** One remoting consumer, of which one thread hands messages to the listener. */
final class RemotingConsumer implements Clients.AbortableConsumer {

    /** Longer than a client takes to leave its group and to end its threads. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    private final DefaultMQPushConsumer client;
    private final ConsumerSpec spec;
    private final TopicQueues queues;
    private final ClientRelease release;
    private final Object delivery = new Object();
    private volatile Set<MessageQueue> assigned = Set.of();
    private boolean closed;

    private RemotingConsumer(
            DefaultMQPushConsumer client, ConsumerSpec spec, TopicQueues queues, ClientRelease release) {
        this.client = client;
        this.spec = spec;
        this.queues = queues;
        this.release = release;
    }

    /** Takes the client over and starts it, which begins to join its group. */
    static RemotingConsumer start(
            DefaultMQPushConsumer client, ConsumerSpec spec, TopicQueues queues, ClientRelease release)
            throws DriverException {
        RemotingConsumer consumer = new RemotingConsumer(client, spec, queues, release);
        try {
            client.subscribe(spec.topic().name(), "*");
            client.registerMessageListener(consumer::consume);
            client.setMessageQueueListener((topic, all, mine) -> consumer.assign(topic, mine));
            client.start();
            return consumer;
        } catch (MQClientException e) {
            release.begin(client.getInstanceName(), consumer::shutdown);
            throw CALLS.refused("start a consumer of the topic '" + spec.topic().name() + "'", e);
        }
    }

    /** Called by the client once it has changed its queues, and has told the brokers or tried to. */
    private void assign(String topic, Set<MessageQueue> mine) {
        // The client has a topic for retries as well.
        if (topic.equals(topic())) {
            assigned = Set.copyOf(mine);
        }
    }

    /** Called by the client, one batch at a time. */
    private ConsumeConcurrentlyStatus consume(List<MessageExt> batch, ConsumeConcurrentlyContext context) {
        synchronized (delivery) {
            if (closed) {
                // Not delivered and, its queue being given up, not counted as delivered.
                return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
            }
            MessageQueue queue = context.getMessageQueue();
            int partition = queues.partition(queue);
            for (MessageExt message : batch) {
                spec.listener().received(message.getKeys(), message.getBody(), partition);
            }
            // The client does the same only after this has returned, and then not for a queue that was given up.
            long next = batch.get(batch.size() - 1).getQueueOffset() + 1;
            internals().updateConsumeOffset(queue, next);
            return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        }
    }

    private void shutdown() {
        RemotingShutdown.run(internals().getmQClientFactory(), client::shutdown);
    }

    String group() {
        return client.getConsumerGroup();
    }

    String clientId() {
        return client.buildMQClientId();
    }

    TopicQueues queues() {
        return queues;
    }

    String topic() {
        return spec.topic().name();
    }

    /** The queues of the topic that have fallen to this consumer. */
    Set<MessageQueue> assigned() {
        return assigned;
    }

    /** Changes with the queues. A broker gives no messages to a consumer whose version it does not know. */
    long subscriptionVersion() {
        @Nullable
        SubscriptionData subscription = internals().getSubscriptionInner().get(topic());
        return subscription == null ? 0 : subscription.getSubVersion();
    }

    /** Has the client look at its group now instead of within 20 s. */
    void rebalance() {
        internals().getmQClientFactory().rebalanceImmediately();
    }

    /** Has the client tell the brokers of itself now instead of within 30 s. */
    void sendHeartbeat() {
        internals().getmQClientFactory().sendHeartbeatToAllBrokerWithLock();
    }

    /** Nothing else tells what a consumer has agreed upon with the brokers. */
    @SuppressWarnings("deprecation")
    private DefaultMQPushConsumerImpl internals() {
        return client.getDefaultMQPushConsumerImpl();
    }

    @Override
    public void pause() {
        client.suspend();
    }

    @Override
    public void resume() {
        client.resume();
    }

    @Override
    public void close() throws DriverException {
        Deadline deadline = Deadline.in(CLOSE_LIMIT);
        endDelivery();
        if (!release.within(deadline, client.getInstanceName(), this::shutdown)) {
            throw deadline.missed("consumer " + spec.id() + " to leave its group '" + group() + "'", null);
        }
    }

    @Override
    public void abort() {
        endDelivery();
        release.begin(client.getInstanceName(), this::shutdown);
    }

    /** The listener is not called any more once this has returned. */
    private void endDelivery() {
        client.suspend();
        synchronized (delivery) {
            closed = true;
            internals().getRebalanceImpl().getProcessQueueTable().values().forEach(queue -> queue.setDropped(true));
        }
    }
}
