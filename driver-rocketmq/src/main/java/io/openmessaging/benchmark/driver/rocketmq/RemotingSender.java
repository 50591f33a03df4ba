package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.SendCallback;
import java.util.List;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.jspecify.annotations.Nullable;

/** One remoting producer. It reads a payload once more, on its own thread, after {@link #send} has returned. */
final class RemotingSender implements RocketMqConnection.AbortableProducer {

    private final DefaultMQProducer client;
    private final String topic;
    private final List<MessageQueue> queues;
    private final Partitions partitions;
    private final RocketMqProducer underWay;

    /** Takes the client over, which is to be started before the first message. */
    RemotingSender(int id, DefaultMQProducer client, String topic, TopicQueues queues, RocketMqProducer underWay) {
        this.client = client;
        this.topic = topic;
        this.queues = queues.all();
        this.partitions = new Partitions(queues.count(), id);
        this.underWay = underWay;
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        RocketMqProducer.Send send = underWay.begin(callback, payload.length);
        try {
            Message message = new Message(topic, payload);
            if (key != null) {
                message.setKeys(key);
            }
            client.send(message, queues.get(partitions.of(key)), send);
        } catch (InterruptedException e) {
            if (send.forget()) {
                throw e;
            }
            Thread.currentThread().interrupt();
        } catch (MQClientException | RemotingException | RuntimeException e) {
            send.onException(e);
        }
    }

    @Override
    public void close() {
        underWay.close();
    }

    @Override
    public void abort() {
        underWay.abort();
    }
}
