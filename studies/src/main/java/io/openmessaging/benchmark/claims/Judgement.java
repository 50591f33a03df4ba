package io.openmessaging.benchmark.claims;

import io.openmessaging.benchmark.summary.Estimate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a claim.
 *
 * @param outcome whether it holds
 * @param reason why, as a sentence
 * @param values what it was judged by, in the order of the expression and of the plan
 */
record Judgement(ClaimVerdict outcome, String reason, List<Value> values) {

    /** Whether a claim holds. */
    enum ClaimVerdict {
        HOLDS("holds"),
        DOES_NOT_HOLD("does not hold"),
        NOT_DECIDABLE("not decidable");

        private final String words;

        ClaimVerdict(String words) {
            this.words = words;
        }

        /** As it is written. */
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
        values = List.copyOf(values);
    }
}
