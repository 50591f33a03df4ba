package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.rocketmq.client.RocketMqProducer;
import io.openmessaging.benchmark.driver.rocketmq.client.TopicQueues;
import java.util.List;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.MessageQueue;
import org.jspecify.annotations.Nullable;

/** Sends over the remoting protocol. The client reads a payload again later, on its own thread. */
final class RemotingSender implements RocketMqProducer.Sender {

    private final DefaultMQProducer client;
    private final RemotingMessages messages;
    private final List<MessageQueue> queues;
    private final Partitions partitions;

    /**
     * Creates a sender for a client that must be started before the first message.
     *
     * @param id ID of the producer
     */
    RemotingSender(int id, DefaultMQProducer client, RemotingMessages messages, TopicQueues queues) {
        this.client = client;
        this.messages = messages;
        this.queues = queues.all();
        this.partitions = new Partitions(queues.count(), id);
    }

    @Override
    public void send(@Nullable String key, byte[] payload, RocketMqProducer.Send send) throws Exception {
        client.send(messages.next(key, payload), queues.get(partitions.of(key)), send);
    }
}
