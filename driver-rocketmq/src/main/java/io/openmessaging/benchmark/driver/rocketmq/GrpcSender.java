package io.openmessaging.benchmark.driver.rocketmq;

import com.google.common.hash.Hashing;
import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.rocketmq.client.RocketMqProducer;
import io.openmessaging.benchmark.driver.rocketmq.client.SerialSends;
import io.openmessaging.benchmark.driver.rocketmq.client.Tags;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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
 * by side, while those with keys follow each other within a partition.
 */
final class GrpcSender implements RocketMqProducer.Sender {

    private final ClientServiceProvider provider;
    private final Producer client;
    private final String topic;
    private final Map<String, String> headers;
    private final boolean ordered;
    private final Tags tags;
    private final List<SerialSends> partitions;
    private long messages;

    GrpcSender(
            ClientServiceProvider provider, Producer client, ProducerSpec spec, int partitions, RocketMqConfig config) {
        this.provider = provider;
        this.client = client;
        this.topic = spec.topic().name();
        this.headers = spec.headers();
        this.ordered = config.messageType() == MessageType.FIFO;
        this.tags = new Tags(config.tags());
        this.partitions = Stream.generate(SerialSends::new).limit(partitions).toList();
    }

    // The callback receives the outcome of a send.
    @SuppressWarnings("FutureReturnValueIgnored")
    @Override
    public void send(@Nullable String key, byte[] payload, RocketMqProducer.Send send) {
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
            begin(builder.build(), send);
        } else if (key == null) {
            begin(builder.setMessageGroup(Long.toString(messages++)).build(), send);
        } else {
            Message message = builder.setMessageGroup(key).build();
            partition(key).add(() -> begin(message, send));
        }
    }

    /** Returns the queue of sends for a partition, chosen in the same way as proxies do. */
    private SerialSends partition(String messageGroup) {
        return partitions.get(Hashing.consistentHash(messageGroup.hashCode(), partitions.size()));
    }

    private CompletableFuture<?> begin(Message message, RocketMqProducer.Send send) {
        if (!send.isUnderWay()) {
            // Given up in the meantime.
            return CompletableFuture.completedFuture(null);
        }
        try {
            return client.sendAsync(message).whenComplete((receipt, failure) -> {
                if (failure == null) {
                    send.acknowledged();
                } else {
                    send.onException(Calls.unwrapped(failure));
                }
            });
        } catch (RuntimeException e) {
            send.onException(e);
            return CompletableFuture.completedFuture(null);
        }
    }
}
