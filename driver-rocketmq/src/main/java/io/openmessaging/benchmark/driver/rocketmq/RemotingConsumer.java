package io.openmessaging.benchmark.driver.rocketmq;

import static io.openmessaging.benchmark.driver.rocketmq.client.RocketMqCalls.CALLS;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.rocketmq.client.ClientRelease;
import io.openmessaging.benchmark.driver.rocketmq.client.RemotingShutdown;
import io.openmessaging.benchmark.driver.rocketmq.client.TopicQueues;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.rocketmq.client.consumer.AllocateMessageQueueStrategy;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyContext;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.consumer.DefaultMQPushConsumerImpl;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.protocol.body.ConsumerConnection;
import org.apache.rocketmq.remoting.protocol.heartbeat.SubscriptionData;
import org.jspecify.annotations.Nullable;

/** One remoting consumer, which delivers messages to the listener on one thread. */
final class RemotingConsumer implements RocketMqConnection.AbortableConsumer {

    /** Longer than a client takes to leave its group and end its threads. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    private final DefaultMQPushConsumer client;
    private final AllocateMessageQueueStrategy strategy;
    private final ConsumerSpec spec;
    private final TopicQueues queues;
    private final ClientRelease release;

    /** Held during a delivery. Fair, so that closing the consumer gets its turn while messages queue up. */
    private final ReentrantLock delivery = new ReentrantLock(true);

    private volatile Set<MessageQueue> assigned = Set.of();
    private boolean closed;

    private RemotingConsumer(
            DefaultMQPushConsumer client, ConsumerSpec spec, TopicQueues queues, ClientRelease release) {
        this.client = client;
        this.strategy = client.getAllocateMessageQueueStrategy();
        this.spec = spec;
        this.queues = queues;
        this.release = release;
    }

    /**
     * Takes over the client and starts it, so that it starts to join its group.
     *
     * @param tags expression for the tags of the messages to receive
     */
    static RemotingConsumer start(
            DefaultMQPushConsumer client, ConsumerSpec spec, String tags, TopicQueues queues, ClientRelease release)
            throws DriverException {
        RemotingConsumer consumer = new RemotingConsumer(client, spec, queues, release);
        try {
            client.subscribe(spec.topic().name(), tags);
            client.registerMessageListener(consumer::consume);
            client.setMessageQueueListener((topic, all, mine) -> consumer.assign(topic, mine));
            client.start();
            return consumer;
        } catch (MQClientException e) {
            release.begin(client.getInstanceName(), consumer::shutdown);
            throw CALLS.refused("start a consumer of the topic '" + spec.topic().name() + "'", e);
        }
    }

    /**
     * Records the assigned queues. Called by the client once it has changed its queues and has reported that to the
     * brokers, or tried to.
     */
    private void assign(String topic, Set<MessageQueue> mine) {
        // The client also has a retry topic.
        if (topic.equals(spec.topic().name())) {
            assigned = Set.copyOf(mine);
        }
    }

    /** Delivers messages. Called by the client, one batch at a time. */
    private ConsumeConcurrentlyStatus consume(List<MessageExt> batch, ConsumeConcurrentlyContext context) {
        delivery.lock();
        try {
            if (closed) {
                // Neither delivered nor counted as delivered, since its queue has been dropped.
                return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
            }
            MessageQueue queue = context.getMessageQueue();
            int partition = queues.partition(queue);
            for (MessageExt message : batch) {
                spec.listener().received(message.getKeys(), message.getBody(), partition, message.getBornTimestamp());
            }
            // The client does the same only after this method returns, and then not for a dropped queue.
            long next = batch.get(batch.size() - 1).getQueueOffset() + 1;
            internals().updateConsumeOffset(queue, next);
            return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        } finally {
            delivery.unlock();
        }
    }

    private void leave() throws InterruptedException {
        RemotingShutdown.onceConfirmed(
                internals().getOffsetStore(), spec.topic().name(), this::shutdown);
    }

    private void shutdown() {
        RemotingShutdown.run(internals().getmQClientFactory(), client::shutdown);
    }

    String group() {
        return client.getConsumerGroup();
    }

    TopicQueues queues() {
        return queues;
    }

    /** Returns the number of the topic's queues assigned to this consumer. */
    int assigned() {
        return assigned.size();
    }

    /**
     * Returns whether the consumer is in its group, reads exactly the queues assigned to it there, and the broker
     * knows; if not, hurries the client.
     *
     * @param members client IDs of the group, sorted
     * @param group the group as the broker knows it
     */
    boolean isAttached(List<String> members, ConsumerConnection group, Deadline deadline)
            throws DriverException, InterruptedException {
        String id = client.buildMQClientId();
        MQClientInstance instance = internals().getmQClientFactory();
        if (!members.contains(id)) {
            // The first report was lost, or its answer: the connection is closed then, and with it the membership ends.
            report(instance, deadline);
            return false;
        }
        if (!Set.copyOf(strategy.allocate(group(), id, queues.all(), members)).equals(assigned)) {
            // Otherwise it may not look at its group for up to 20 s.
            instance.rebalanceImmediately();
            return false;
        }
        String topic = spec.topic().name();
        if (version(internals().getSubscriptionInner(), topic) > version(group.getSubscriptionTable(), topic)) {
            // The client reports a change to a broker at once, unless it happens to be sending another report; then it
            // does so only half a minute later, and until then the broker gives it no messages.
            report(instance, deadline);
            return false;
        }
        return true;
    }

    /** Reports the consumer to the brokers, which its client does every half a minute. */
    private void report(MQClientInstance instance, Deadline deadline) throws DriverException, InterruptedException {
        CALLS.run(
                "report a consumer of the group '" + group() + "' to RocketMQ",
                deadline,
                instance::sendHeartbeatToAllBrokerWithLock);
    }

    /**
     * Returns the version of a subscription, which changes with the queues; -1 if there is none. A broker gives no
     * messages to a consumer whose version it does not know.
     */
    private static long version(Map<String, SubscriptionData> subscriptions, String topic) {
        @Nullable SubscriptionData subscription = subscriptions.get(topic);
        return subscription == null ? -1 : subscription.getSubVersion();
    }

    /** Returns the client's internals, the only source for what a consumer has agreed with the brokers. */
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
        if (!release.within(deadline, client.getInstanceName(), this::leave)) {
            throw deadline.missed("consumer " + spec.id() + " to leave its group '" + group() + "'", null);
        }
    }

    @Override
    public void abort() {
        endDelivery();
        release.begin(client.getInstanceName(), this::shutdown);
    }

    /** Ends deliveries. The listener is not called any more once this method has returned. */
    private void endDelivery() {
        client.suspend();
        delivery.lock();
        try {
            closed = true;
            internals().getRebalanceImpl().getProcessQueueTable().values().forEach(queue -> queue.setDropped(true));
        } finally {
            delivery.unlock();
        }
    }
}
