package io.openmessaging.benchmark.driver.rabbitmq.stream;

import com.rabbitmq.stream.Message;
import com.rabbitmq.stream.MessageBuilder;
import com.rabbitmq.stream.Properties;
import io.openmessaging.benchmark.driver.Partitions;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The filter value of each message: a number, the same for equal keys, in turn without a key. It travels as the group id as
 * well, since the broker looks at whole chunks of messages, and the consumer has to look at each message again.
 */
final class FilterValues {

    private final Partitions numbers;

    FilterValues(Partitions numbers) {
        this.numbers = numbers;
    }

    void addTo(MessageBuilder message, @Nullable String key) {
        message.properties().groupId(Integer.toString(numbers.of(key)));
    }

    /** The value of a message; null if it has none. */
    static @Nullable String of(Message message) {
        Properties properties = message.getProperties();
        return properties == null ? null : properties.getGroupId();
    }

    /** Those that one of several consumers reads. */
    static List<String> shareOf(int index, int consumers, int values) {
        return Arrays.stream(Partitions.shareOf(index, consumers, values))
                .mapToObj(Integer::toString)
                .toList();
    }
}
