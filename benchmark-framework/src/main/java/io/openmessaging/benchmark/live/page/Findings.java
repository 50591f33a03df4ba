package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.Verdict;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was found about a run so far, and when; what is not found any more stays, and is marked. Not thread-safe. */
final class Findings {

    private final Map<String, FindingRow> rows = new LinkedHashMap<>();
    private @Nullable String verdict;

    /**
     * What is found now.
     *
     * @param found null where nothing can be told before the end
     */
    void now(@Nullable List<Finding> found, long atMs) {
        update(found == null ? List.of() : found, atMs);
        verdict = found == null ? null : Verdict.of(found).name();
    }

    /** The run has ended with these. */
    void ended(List<Finding> found, Verdict last, long atMs) {
        update(found, atMs);
        verdict = last.name();
    }

    private void update(List<Finding> found, long atMs) {
        Map<String, Integer> ofKind = new HashMap<>();
        rows.replaceAll((key, row) -> row.gone());
        for (Finding finding : found) {
            // Sentences have numbers in them that change: the second of a kind is known by being the second.
            String key = finding.kind() + " " + ofKind.merge(finding.kind(), 1, Integer::sum);
            FindingRow before = rows.get(key);
            rows.put(key, FindingRow.of(finding, before == null ? atMs : before.firstMs()));
        }
    }

    /** The name of the verdict that would follow; null where nothing can be told. */
    @Nullable
    String verdict() {
        return verdict;
    }

    /** All, in the order in which they were first found. */
    List<FindingRow> rows() {
        return List.copyOf(rows.values());
    }
}
