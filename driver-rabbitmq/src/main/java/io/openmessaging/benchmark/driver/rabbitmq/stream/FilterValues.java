package io.openmessaging.benchmark.driver.rabbitmq.stream;

import com.rabbitmq.stream.Message;
import com.rabbitmq.stream.MessageBuilder;
import com.rabbitmq.stream.Properties;
import io.openmessaging.benchmark.driver.Partitions;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The filter value of each message: a number, the same for equal keys, in turn without a key. It is also sent as the
 * group id: the broker filters whole chunks of messages, so the consumer has to check each message.
 */
final class FilterValues {

    private final Partitions numbers;

    FilterValues(Partitions numbers) {
        this.numbers = numbers;
    }

    void addTo(MessageBuilder message, @Nullable String key) {
        message.properties().groupId(Integer.toString(numbers.of(key)));
    }

    /** The filter value of a message; null if it has none. */
    static @Nullable String of(Message message) {
        Properties properties = message.getProperties();
        return properties == null ? null : properties.getGroupId();
    }

    /** The filter values that one of several consumers reads. */
    static List<String> shareOf(int index, int consumers, int values) {
        return Arrays.stream(Partitions.shareOf(index, consumers, values))
                .mapToObj(Integer::toString)
                .toList();
    }
}
