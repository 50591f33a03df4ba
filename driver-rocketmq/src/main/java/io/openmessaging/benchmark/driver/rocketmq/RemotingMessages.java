package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.rocketmq.client.Tags;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.jspecify.annotations.Nullable;

/** Creates the messages of one remoting producer. Not thread-safe. */
final class RemotingMessages {

    private final String topic;

    /**
     * Properties of every message besides its key: the headers, and those that the client adds; null without headers.
     */
    private final @Nullable Map<String, String> properties;

    private final Tags tags;

    /**
     * Prepares the properties of a producer's messages.
     *
     * @param tags tags that the messages get in turn
     * @throws RuntimeException if RocketMQ reserves the name of a header
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

    /** Creates the next message. */
    Message next(@Nullable String key, byte[] payload) {
        Message message = new Message(topic, payload);
        if (properties != null) {
            // A copy, since the client adds properties of this one message.
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
