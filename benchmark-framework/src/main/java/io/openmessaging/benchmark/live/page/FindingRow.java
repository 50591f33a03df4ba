package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.result.Finding;
import java.util.List;

/**
 * A finding.
 *
 * @param kind its name for programs
 * @param severity what it says about the result
 * @param text a sentence
 * @param firstMs when it was first found in this run, epoch milliseconds; 0 of a run that has ended
 * @param holds whether it still is what was last found
 */
record FindingRow(String kind, String severity, String text, long firstMs, boolean holds) {

    /** Enough for every sentence of the harness; a name in it that is the user's can be longer. */
    private static final int LONGEST_TEXT = 600;

    /** What is kept of a run that has ended: those that invalidate come first. */
    private static final int MOST = 12;

    static FindingRow of(Finding finding, long firstMs) {
        return new FindingRow(finding.kind(), finding.severity().name(), shortened(finding.text()), firstMs, true);
    }

    /** The same, which is not found any more. */
    FindingRow gone() {
        return new FindingRow(kind, severity, text, firstMs, false);
    }

    /** Those of a run that has ended. */
    static List<FindingRow> ofEnded(List<Finding> findings) {
        return findings.stream().limit(MOST).map(finding -> of(finding, 0)).toList();
    }

    /** A text that is not ours, cut off where it is too long. */
    static String shortened(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT - 1) + "…";
    }
}
