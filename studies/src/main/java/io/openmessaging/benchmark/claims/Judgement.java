package io.openmessaging.benchmark.claims;

import io.openmessaging.benchmark.summary.Estimate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The judgement of a claim.
 *
 * @param outcome whether it holds
 * @param reason why, as a sentence
 * @param deciding those of the values that decided it, case by case: all that contradict the claim, or else all that
 *     are not known well enough, or else all
 * @param values all that it refers to, in the order of the expression and of the plan
 */
record Judgement(ClaimVerdict outcome, String reason, List<Value> deciding, List<Value> values) {

    /** Verdict on a claim. */
    enum ClaimVerdict {
        HOLDS("holds"),
        DOES_NOT_HOLD("does not hold"),
        /** The medians of too few or shortened runs satisfy it. */
        DIRECTION_ONLY("direction only"),
        NOT_DECIDABLE("not decidable");

        private final String words;

        ClaimVerdict(String words) {
            this.words = words;
        }

        /** Returns the verdict as it is printed. */
        String words() {
            return words;
        }
    }

    /**
     * A metric of a cell.
     *
     * @param estimate null if the cell has none
     */
    record Value(
            String metric,
            String experiment,
            String system,
            String caseName,
            @Nullable Estimate estimate) {}

    Judgement {
        deciding = List.copyOf(deciding);
        values = List.copyOf(values);
    }
}
