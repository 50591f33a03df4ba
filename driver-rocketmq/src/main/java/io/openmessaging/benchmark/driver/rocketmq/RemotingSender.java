package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.Partitions;
import java.util.List;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;
import org.jspecify.annotations.Nullable;

/** Sends over the remoting protocol. The client reads a payload once more, on its own thread, after that. */
final class RemotingSender implements RocketMqProducer.Sender {

    private final DefaultMQProducer client;
    private final String topic;
    private final List<MessageQueue> queues;
    private final Partitions partitions;

    /** For a client that is to be started before the first message. */
    RemotingSender(int id, DefaultMQProducer client, String topic, TopicQueues queues) {
        this.client = client;
        this.topic = topic;
        this.queues = queues.all();
        this.partitions = new Partitions(queues.count(), id);
    }

    @Override
    public void send(@Nullable String key, byte[] payload, RocketMqProducer.Send send) throws Exception {
        Message message = new Message(topic, payload);
        if (key != null) {
            message.setKeys(key);
        }
        client.send(message, queues.get(partitions.of(key)), send);
    }
}
