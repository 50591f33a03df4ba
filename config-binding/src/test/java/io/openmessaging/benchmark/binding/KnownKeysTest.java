package io.openmessaging.benchmark.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KnownKeysTest {

    private static final List<String> KNOWN = List.of(
            "topics", "messageSize", "messageCount", "testDuration", "testDurationMinutes", "consumerPerSubscription");

    @ParameterizedTest
    @CsvSource({
        "mesageSize, messageSize",
        "messagesize, messageSize",
        "message_size, messageSize",
        "message-size, messageSize",
        "messagseSize, messageSize",
        "massageSise, messageSize",
        "emssageSize, messageSize",
        "MessageCounts, messageCount",
        "topic, topics",
        "tpoics, topics",
        "testDurations, testDuration",
        "testDurationMinute, testDurationMinutes",
        "consumersPerSubscription, consumerPerSubscription",
    })
    void findsWhatWasMeant(String misspelt, String meant) {
        assertThat(KnownKeys.nearest(misspelt, KNOWN)).contains(meant);
        assertThat(KnownKeys.unknownKeyRule(misspelt, KNOWN)).isEqualTo("unknown key, did you mean '" + meant + "'?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "color", "size", "producers", "duration"})
    void doesNotGuess(String unknown) {
        assertThat(KnownKeys.nearest(unknown, KNOWN)).isEmpty();
    }

    @Test
    void listsAFewKnownKeysWhereItCannotGuess() {
        assertThat(KnownKeys.unknownKeyRule("color", KNOWN.subList(0, 2)))
                .isEqualTo("unknown key, must be one of topics, messageSize");
        assertThat(KnownKeys.unknownKeyRule("color", List.of())).isEqualTo("unknown key");
    }

    @Test
    void doesNotCompareEndlessKeys() {
        assertThat(KnownKeys.nearest("messageSize".repeat(1_000), List.of("messageSize".repeat(1_000))))
                .isEmpty();
    }
}
