package io.openmessaging.benchmark.metric;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A weakness of a system that a workload is meant to show: its findings do not invalidate the run. Claims of a study
 * use its name as a metric, the percentage of runs that showed it.
 */
public enum Weakness {
    /** Consumers or confirmations fall behind. */
    BACKLOG("backlog", Set.of("ConsumersBehind", "ConfirmationsBehind", "NotSettled", "MessagesUndelivered")),
    /** Less than the target rate is published, or late. */
    TARGET_RATE_MISSED("targetRateMissed", Set.of("TargetRateMissed", "SendsLate", "DueMessagesUnsent")),
    /** The system refuses messages, or the run fails. */
    FAILURE("failure", Set.of("SendErrors", "Errors"));

    private final String text;
    private final Set<String> findings;

    Weakness(String text, Set<String> findings) {
        this.text = text;
        this.findings = findings;
    }

    /**
     * Reads the name in a workload file.
     *
     * @throws IllegalArgumentException with the rule that the text breaks
     */
    public static Weakness parse(String text) {
        return Arrays.stream(values())
                .filter(weakness -> weakness.text.equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("must be one of "
                        + Arrays.stream(values()).map(Weakness::toString).collect(Collectors.joining(", "))));
    }

    /** Returns whether findings of this kind show the weakness. */
    public boolean isShownBy(String kindOfFinding) {
        return findings.contains(kindOfFinding);
    }

    /** Returns the name in workload files and claims. */
    @Override
    public String toString() {
        return text;
    }
}
