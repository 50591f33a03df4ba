package io.openmessaging.benchmark.metric;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A weakness of a system that a workload is meant to show: its findings do not invalidate the run. Claims of a study
 * use its name as a metric, the percentage of runs that showed it.
 */
public enum Weakness {
    /** Consumers or confirmations fall behind. */
    BACKLOG("backlog"),
    /** Less than the target rate is published, or late. */
    TARGET_RATE_MISSED("targetRateMissed"),
    /** The system refuses messages, or the run fails. */
    FAILURE("failure");

    private final String text;
    private final List<String> findings;

    Weakness(String text) {
        this.text = text;
        this.findings = SharedDefinitions.texts("findings.yaml", text);
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
