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

/** One remoting consumer, of which one thread hands messages to the listener. */
final class RemotingConsumer implements RocketMqConnection.AbortableConsumer {

    /** Longer than a client takes to leave its group and to end its threads. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    private final DefaultMQPushConsumer client;
    private final AllocateMessageQueueStrategy strategy;
    private final ConsumerSpec spec;
    private final TopicQueues queues;
    private final ClientRelease release;

    /** Held during a delivery. Fair: with one message after the other waiting, the end of the consumer has its turn. */
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
     * Takes the client over and starts it, which begins to join its group.
     *
     * @param tags the expression for those that messages have to have
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

    /** Called by the client once it has changed its queues, and has told the brokers or tried to. */
    private void assign(String topic, Set<MessageQueue> mine) {
        // The client has a topic for retries as well.
        if (topic.equals(spec.topic().name())) {
            assigned = Set.copyOf(mine);
        }
    }

    /** Called by the client, one batch at a time. */
    private ConsumeConcurrentlyStatus consume(List<MessageExt> batch, ConsumeConcurrentlyContext context) {
        delivery.lock();
        try {
            if (closed) {
                // Not delivered and, its queue being given up, not counted as delivered.
                return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
            }
            MessageQueue queue = context.getMessageQueue();
            int partition = queues.partition(queue);
            for (MessageExt message : batch) {
                spec.listener().received(message.getKeys(), message.getBody(), partition, message.getBornTimestamp());
            }
            // The client does the same only after this has returned, and then not for a queue that was given up.
            long next = batch.get(batch.size() - 1).getQueueOffset() + 1;
            internals().updateConsumeOffset(queue, next);
            return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        } finally {
            delivery.unlock();
        }
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

    /** How many queues of the topic have fallen to this consumer. */
    int assigned() {
        return assigned.size();
    }

    /**
     * Whether it is in its group, reads exactly the queues that fall to it there, and a broker knows; if not, this hurries
     * the client.
     *
     * @param members the clients of the group, sorted
     * @param group as the broker knows it
     */
    boolean isAttached(List<String> members, ConsumerConnection group) {
        String id = client.buildMQClientId();
        if (!members.contains(id)) {
            return false;
        }
        MQClientInstance instance = internals().getmQClientFactory();
        if (!Set.copyOf(strategy.allocate(group(), id, queues.all(), members)).equals(assigned)) {
            // Else it would look at its group within 20 s.
            instance.rebalanceImmediately();
            return false;
        }
        String topic = spec.topic().name();
        if (version(internals().getSubscriptionInner(), topic) > version(group.getSubscriptionTable(), topic)) {
            // The client tells a broker of a change at once, unless it happens to be telling it something else; then
            // only half a minute later, until when the broker gives it no messages.
            instance.sendHeartbeatToAllBrokerWithLock();
            return false;
        }
        return true;
    }

    /** Changes with the queues. A broker gives no messages to a consumer whose version it does not know. */
    private static long version(Map<String, SubscriptionData> subscriptions, String topic) {
        @Nullable SubscriptionData subscription = subscriptions.get(topic);
        return subscription == null ? -1 : subscription.getSubVersion();
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
        delivery.lock();
        try {
            closed = true;
            internals().getRebalanceImpl().getProcessQueueTable().values().forEach(queue -> queue.setDropped(true));
        } finally {
            delivery.unlock();
        }
    }
}
