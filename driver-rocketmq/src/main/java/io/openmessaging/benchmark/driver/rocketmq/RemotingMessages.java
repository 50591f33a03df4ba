package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.rocketmq.client.Tags;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.jspecify.annotations.Nullable;

/** Makes the messages of one remoting producer. Not thread-safe. */
final class RemotingMessages {

    private final String topic;

    /** What every message has beside its key: the headers, and what the client puts there; null without headers. */
    private final @Nullable Map<String, String> properties;

    private final Tags tags;

    /**
     * For the messages of a producer.
     *
     * @param tags which they get in turn
     * @throws RuntimeException if RocketMQ keeps the name of a header for itself
     */
    RemotingMessages(ProducerSpec spec, List<String> tags) {
        this.topic = spec.topic().name();
        this.properties = spec.headers().isEmpty() ? null : properties(topic, spec.headers());
        this.tags = new Tags(tags);
    }

    private static Map<String, String> properties(String topic, Map<String, String> headers) {
        Message message = new Message(topic, new byte[0]);
        headers.forEach(message::putUserProperty);
        return message.getProperties();
    }

    /** The next message. */
    Message next(@Nullable String key, byte[] payload) {
        Message message = new Message(topic, payload);
        if (properties != null) {
            // A copy: the client adds what belongs to the one message.
            MessageAccessor.setProperties(message, new HashMap<>(properties));
        }
        if (key != null) {
            message.setKeys(key);
        }
        String tag = tags.next();
        if (tag != null) {
            message.setTags(tag);
        }
        return message;
    }
}
