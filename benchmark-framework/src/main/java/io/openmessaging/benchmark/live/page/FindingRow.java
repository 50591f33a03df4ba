package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.result.Finding;
import java.util.List;

/**
 * A finding on the page.
 *
 * @param kind name for programs
 * @param severity consequence for the result
 * @param text a sentence
 * @param firstMs time at which it was first found in this run, epoch milliseconds; 0 for a run that has ended
 * @param holds true if it is among the latest findings
 */
record FindingRow(String kind, String severity, String text, long firstMs, boolean holds) {

    /** The limit is enough for every sentence of the harness; user-defined names in a sentence can be longer. */
    private static final int LONGEST_TEXT = 600;

    /** The number of findings kept for a run that has ended; those that invalidate come first. */
    private static final int MOST = 12;

    static FindingRow of(Finding finding, long firstMs) {
        return new FindingRow(finding.kind(), finding.severity().name(), shortened(finding.text()), firstMs, true);
    }

    /** Returns a copy that is marked as no longer found. */
    FindingRow gone() {
        return new FindingRow(kind, severity, text, firstMs, false);
    }

    /** Returns the findings of a run that has ended. */
    static List<FindingRow> ofEnded(List<Finding> findings) {
        return findings.stream().limit(MOST).map(finding -> of(finding, 0)).toList();
    }

    /** Shortens a text from outside the harness if it is too long. */
    static String shortened(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT - 1) + "…";
    }
}
