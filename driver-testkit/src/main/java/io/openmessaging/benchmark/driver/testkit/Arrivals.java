package io.openmessaging.benchmark.driver.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.testkit.RecordingListener.ReceivedMessage;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * The numbered messages that one subscription has received, by any of its consumers.
 *
 * @param subscription the name in failure messages
 * @param messages in the order of arrival within each consumer
 */
public record Arrivals(String subscription, List<ReceivedMessage> messages) {

    /** Returns the messages that have arrived so far. */
    static Arrivals of(String subscription, RecordingListener... listeners) {
        return new Arrivals(
                subscription,
                Arrays.stream(listeners)
                        .flatMap(listener -> listener.messages().stream())
                        .toList());
    }

    /**
     * Waits until the messages with these numbers have arrived or the limit has passed, then returns all that have
     * arrived. One that arrives twice does not stand in for another.
     */
    public static Arrivals await(
            String subscription, int from, int until, Duration limit, RecordingListener... listeners) {
        int expected = until - from;
        try {
            Awaitility.await()
                    .atMost(limit)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> Arrays.stream(listeners)
                                            .mapToInt(RecordingListener::count)
                                            .sum()
                                    >= expected
                            && of(subscription, listeners)
                                            .since(from)
                                            .numbers()
                                            .distinct()
                                            .count()
                                    >= expected);
        } catch (ConditionTimeoutException ignored) {
            // The assertion on the arrivals reports more than a timeout.
        }
        return of(subscription, listeners);
    }

    /** Returns only the messages with numbers from {@code from} on. */
    Arrivals since(int from) {
        return new Arrivals(
                subscription,
                messages.stream()
                        .filter(message -> NumberedPayload.numberOf(message.payload()) >= from)
                        .toList());
    }

    private IntStream numbers() {
        return messages.stream().mapToInt(message -> NumberedPayload.numberOf(message.payload()));
    }

    /** Asserts that the messages with these numbers have arrived, each once, and no others. */
    public void areExactly(int from, int until) {
        Set<Integer> arrived = new HashSet<>(numbers().boxed().toList());
        assertThat(IntStream.range(from, until).filter(number -> !arrived.contains(number)))
                .as("numbers of the messages of %d to %d lost for %s", from, until - 1, subscription)
                .isEmpty();
        Set<Integer> seen = new HashSet<>();
        assertThat(numbers().boxed().filter(number -> !seen.add(number)))
                .as("numbers of the messages that %s got twice", subscription)
                .isEmpty();
        assertThat(arrived.stream().filter(number -> number < from || number >= until))
                .as("numbers of messages that %s got although they were not meant for it", subscription)
                .isEmpty();
    }

    /** Returns the partitions that the messages came from. */
    Set<Integer> partitions() {
        Set<Integer> partitions = new HashSet<>();
        messages.forEach(message -> partitions.add(message.partition()));
        return partitions;
    }
}
