package io.openmessaging.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ErrorCountsTest {

    private final ErrorCounts errors = new ErrorCounts();

    private String kindOf(Throwable cause) {
        errors.count("send", cause);
        return errors.byKind().keySet().iterator().next();
    }

    @Test
    void errorsAreToldApartByWhatTheyHappenedInAndWhatTheyWere() {
        errors.count("send", new IOException("closed"));
        errors.count("send", new IOException("closed"));
        errors.count("send", new IOException("refused"));
        errors.count("poll", new IOException("closed"));
        errors.count("send", new IllegalStateException("closed"));
        assertThat(errors.byKind())
                .containsExactly(
                        Map.entry("poll: IOException: closed", 1L),
                        Map.entry("send: IOException: closed", 2L),
                        Map.entry("send: IOException: refused", 1L),
                        Map.entry("send: IllegalStateException: closed", 1L));
    }

    @Test
    void errorsThatDifferInNumbersAreOfOneKindThatTheFirstNames() {
        errors.count("send", new IOException("offset 12 of partition 3 is gone"));
        errors.count("send", new IOException("offset 4711 of partition 0 is gone"));
        assertThat(errors.byKind())
                .containsExactly(Map.entry("send: IOException: offset 12 of partition 3 is gone", 2L));
    }

    /** The number of digits determines where the texts are cut off. */
    @Test
    void longErrorsThatDifferInNumbersAreOfOneKind() {
        errors.count("send", new IOException("batch 9 " + "x".repeat(600)));
        errors.count("send", new IOException("batch 12345 " + "x".repeat(600)));
        assertThat(errors.byKind().values()).containsExactly(2L);
    }

    @Test
    void withoutAMessageTheClassIsTheKind() {
        assertThat(kindOf(new IOException())).isEqualTo("send: IOException");
    }

    @Test
    void aBlankMessageIsNone() {
        assertThat(kindOf(new IOException(" \n"))).isEqualTo("send: IOException");
    }

    @Test
    void ofALongMessageTheFirstLineIsKeptUpToALimit() {
        assertThat(kindOf(new IOException("x".repeat(700) + "\nsecond line")))
                .isEqualTo("send: IOException: " + "x".repeat(500) + "…");
    }

    @Test
    void errorsOfManyKindsAreCountedTogetherBeyondALimit() {
        int kinds = ErrorCounts.MAX_KINDS + 20;
        for (int round = 0; round < 2; round++) {
            for (int kind = 0; kind < kinds; kind++) {
                errors.count("send", new IOException("reason " + "x".repeat(kind + 1)));
            }
        }
        Map<String, Long> counts = errors.byKind();
        assertThat(counts).hasSize(ErrorCounts.MAX_KINDS + 1).containsEntry("further kinds of errors", 40L);
        assertThat(counts.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(2L * kinds);
    }

    /** Half a surrogate pair cannot be encoded in UTF-8. */
    @Test
    void aMessageIsNotCutInTheMiddleOfACharacter() {
        errors.count("send", new IllegalStateException("x".repeat(499) + "😀 and more"));
        assertThat(errors.byKind().keySet()).containsExactly("send: IllegalStateException: " + "x".repeat(499) + "…");
    }
}
