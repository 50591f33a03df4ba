package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.driver.Problems;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The bounds in the {@code slo} of a workload with faults.
 *
 * @param acknowledgedLost the most acknowledged messages that may be lost, over all subscriptions; empty for any
 *     number
 * @param down the longest time in any one fault that the system may not answer at all; empty for any time
 */
public record FaultBounds(OptionalLong acknowledgedLost, Optional<Duration> down) {

    static final String ACKNOWLEDGED_LOST = "acknowledgedLost";
    static final String DOWN = "downSeconds";

    /** The keys of {@code slo} that are not latencies. */
    static final List<String> KEYS = List.of(ACKNOWLEDGED_LOST, DOWN);

    /** Reads the bounds from a mapping; adds errors to the problems and ignores other keys. */
    static FaultBounds of(Map<String, String> slo, Problems problems) {
        String lost = slo.get(ACKNOWLEDGED_LOST);
        String down = slo.get(DOWN);
        OptionalLong mostLost = OptionalLong.empty();
        if (lost != null && lost.matches("[0-9_]{1,15}")) {
            mostLost = OptionalLong.of(Long.parseLong(lost.replace("_", "")));
        } else if (lost != null) {
            problems.add(ACKNOWLEDGED_LOST, "must be a number of messages, from 0", lost);
        }
        Optional<Duration> longest = down == null ? Optional.empty() : DurationText.parse(down);
        problems.require(down == null || longest.isPresent(), DOWN, DurationText.RULE, down);
        return new FaultBounds(mostLost, longest);
    }
}
