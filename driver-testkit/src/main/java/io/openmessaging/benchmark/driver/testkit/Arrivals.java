package io.openmessaging.benchmark.driver.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * The numbered messages that one subscription has got, whichever of its consumers got them.
 *
 * @param subscription named in a failure
 * @param messages in the order of arrival within each consumer
 */
public record Arrivals(String subscription, List<ReceivedMessage> messages) {

    /** How long a duplicate has the time to show up after the last message. */
    private static final Duration SETTLING = Duration.ofMillis(300);

    /** Waits until as many messages have arrived as are expected or the limit is reached, then takes what there is. */
    public static Arrivals await(String subscription, int expected, Duration limit, RecordingListener... listeners)
            throws InterruptedException {
        try {
            Awaitility.await()
                    .atMost(limit)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> total(listeners) >= expected);
        } catch (ConditionTimeoutException ignored) {
            // The assertion on the arrivals tells more than the number that was not reached.
        }
        int before;
        do {
            before = total(listeners);
            // Meanwhile all of them have the time.
            listeners[0].awaitQuiet(SETTLING, limit);
        } while (total(listeners) > before);
        List<ReceivedMessage> messages = new ArrayList<>();
        for (RecordingListener listener : listeners) {
            messages.addAll(listener.messages());
        }
        return new Arrivals(subscription, List.copyOf(messages));
    }

    private static int total(RecordingListener... listeners) {
        return Arrays.stream(listeners).mapToInt(RecordingListener::count).sum();
    }

    /** The messages with these numbers have arrived, each once, and no other. */
    public void areExactly(int from, int until) {
        int[] copies = new int[until];
        List<Integer> unknown = new ArrayList<>();
        for (ReceivedMessage message : messages) {
            int number = NumberedPayload.numberOf(message.payload());
            if (number >= from && number < until) {
                copies[number]++;
            } else {
                unknown.add(number);
            }
        }
        List<Integer> lost = new ArrayList<>();
        List<Integer> duplicated = new ArrayList<>();
        for (int number = from; number < until; number++) {
            if (copies[number] == 0) {
                lost.add(number);
            } else if (copies[number] > 1) {
                duplicated.add(number);
            }
        }
        assertThat(lost)
                .as("numbers of the messages of %d to %d lost for %s", from, until - 1, subscription)
                .isEmpty();
        assertThat(duplicated)
                .as("numbers of the messages that %s got twice", subscription)
                .isEmpty();
        assertThat(unknown)
                .as("numbers of messages that %s got though not meant for it", subscription)
                .isEmpty();
    }
}
