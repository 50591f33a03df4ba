package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.Verdict;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The findings about a run so far, and their times. Findings that no longer hold remain, and are marked. Not
 * thread-safe.
 */
final class Findings {

    private final Map<String, FindingRow> rows = new LinkedHashMap<>();
    private @Nullable String verdict;

    /**
     * Replaces the current findings.
     *
     * @param found the findings; null if nothing can be said before the end
     */
    void now(@Nullable List<Finding> found, long atMs) {
        update(found == null ? List.of() : found, atMs);
        verdict = found == null ? null : Verdict.of(found).name();
    }

    /** Sets the findings of a run that has ended. */
    void ended(List<Finding> found, Verdict last, long atMs) {
        update(found, atMs);
        verdict = last.name();
    }

    private void update(List<Finding> found, long atMs) {
        Map<String, Integer> ofKind = new HashMap<>();
        rows.replaceAll((key, row) -> row.gone());
        for (Finding finding : found) {
            // Sentences contain numbers that change, so findings of the same kind are identified by their position.
            String key = finding.kind() + " " + ofKind.merge(finding.kind(), 1, Integer::sum);
            FindingRow before = rows.get(key);
            rows.put(key, FindingRow.of(finding, before == null ? atMs : before.firstMs()));
        }
    }

    /** Returns the name of the verdict that would follow; null if nothing can be said yet. */
    @Nullable
    String verdict() {
        return verdict;
    }

    /** Returns all findings, in the order in which they were first found. */
    List<FindingRow> rows() {
        return List.copyOf(rows.values());
    }
}
