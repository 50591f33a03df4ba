package io.openmessaging.benchmark.driver.rocketmq;

import com.google.common.hash.Hashing;
import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.MessageType;
import io.openmessaging.benchmark.driver.rocketmq.client.RocketMqProducer;
import io.openmessaging.benchmark.driver.rocketmq.client.Tags;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.apache.rocketmq.client.apis.ClientServiceProvider;
import org.apache.rocketmq.client.apis.message.Message;
import org.apache.rocketmq.client.apis.message.MessageBuilder;
import org.apache.rocketmq.client.apis.producer.Producer;
import org.jspecify.annotations.Nullable;

/**
 * Sends over gRPC. In a topic of normal messages, sends are in flight side by side, and the proxy uses the queues in
 * turn. In a FIFO topic, the proxy chooses the queue of a message by the message's group, which is its key. A message
 * without a key gets its sequence number as its group, so that all queues are used; such messages are in flight side
 * by side. A message with a key is sent when the previous one of its partition has been answered, since gRPC does not
 * keep the order of requests in flight at the same time. The sender waits for that, as an application does.
 */
final class GrpcSender implements RocketMqProducer.Sender {

    private final ClientServiceProvider provider;
    private final Producer client;
    private final String topic;
    private final Map<String, String> headers;
    private final boolean ordered;
    private final Tags tags;
    private final List<Semaphore> partitions;
    private long messages;

    GrpcSender(
            ClientServiceProvider provider, Producer client, ProducerSpec spec, int partitions, RocketMqConfig config) {
        this.provider = provider;
        this.client = client;
        this.topic = spec.topic().name();
        this.headers = spec.headers();
        this.ordered = config.messageType() == MessageType.FIFO;
        this.tags = new Tags(config.tags());
        this.partitions =
                Stream.generate(() -> new Semaphore(1)).limit(partitions).toList();
    }

    @Override
    public void send(@Nullable String key, byte[] payload, RocketMqProducer.Send send) throws InterruptedException {
        MessageBuilder builder = provider.newMessageBuilder().setTopic(topic).setBody(payload);
        headers.forEach(builder::addProperty);
        String tag = tags.next();
        if (tag != null) {
            builder.setTag(tag);
        }
        if (key != null) {
            builder.setKeys(key);
        }
        if (!ordered) {
            begin(builder.build(), send, () -> {});
        } else if (key == null) {
            begin(builder.setMessageGroup(Long.toString(messages++)).build(), send, () -> {});
        } else {
            Message message = builder.setMessageGroup(key).build();
            Semaphore partition = partition(key);
            partition.acquire();
            begin(message, send, partition::release);
        }
    }

    /** Returns the permit of a partition, chosen in the same way as proxies do. */
    private Semaphore partition(String messageGroup) {
        return partitions.get(Hashing.consistentHash(messageGroup.hashCode(), partitions.size()));
    }

    // The callback receives the outcome of a send.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void begin(Message message, RocketMqProducer.Send send, Runnable answered) {
        try {
            client.sendAsync(message).whenComplete((receipt, failure) -> {
                answered.run();
                if (failure == null) {
                    send.acknowledged();
                } else {
                    send.onException(Calls.unwrapped(failure));
                }
            });
        } catch (RuntimeException e) {
            answered.run();
            send.onException(e);
        }
    }
}
