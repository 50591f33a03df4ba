package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.live.Agenda;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The outcomes of an agenda's runs, and the current run. Not thread-safe. */
final class Board {

    /** The number of ended runs that are kept, the latest; the counts by outcome cover all runs. */
    static final int MOST_ROWS = 1_000;

    private final Map<Integer, Row> rows = new LinkedHashMap<>();
    private final Map<String, Integer> outcomes = new TreeMap<>();
    private Agenda agenda = Agenda.NONE;
    private EndEstimate estimate = new EndEstimate(Agenda.NONE);
    private int current;
    private String title = "";
    private String doing = "";
    private boolean over;

    void agenda(Agenda given) {
        agenda = given;
        estimate = new EndEstimate(given);
        for (int i = 0; i < given.items().size(); i++) {
            String earlier = given.items().get(i).earlier();
            if (earlier != null) {
                keep(Row.without(i + 1, titleOf(i + 1), earlier, null, null));
            }
        }
    }

    void preparing(int number, String what, long nowMs) {
        current = number;
        title = titleOf(number);
        doing = what;
        estimate.preparing(number, nowMs);
    }

    /** Marks the prepared run as started; without an agenda, adds a run. */
    void begun(RunHead head) {
        if (doing.isEmpty()) {
            current++;
            title = head.workload() + " on " + head.driver();
        }
        doing = "";
    }

    /** Records the result of the current run. */
    Row ended(RunResult result, long nowMs) {
        estimate.finished(current, result.verdict().ofWholeRun(), nowMs);
        return keep(Row.of(current, title, result, nowMs));
    }

    /** Records the final outcome of a run; returns null if it was already known. */
    @Nullable
    Row finished(int number, String outcome, @Nullable String why, long nowMs) {
        Row before = rows.get(number);
        if (before != null && before.outcome().equals(outcome)) {
            return null;
        }
        boolean whole =
                Stream.of(Verdict.values()).anyMatch(verdict -> verdict.name().equals(outcome) && verdict.ofWholeRun());
        estimate.finished(number, whole, nowMs);
        return keep(
                before == null
                        ? Row.without(number, titleOf(number), outcome, why, nowMs)
                        : before.ended(outcome, why));
    }

    private Row keep(Row row) {
        Row before = rows.remove(row.number());
        if (before != null) {
            outcomes.merge(before.outcome(), -1, Integer::sum);
        }
        outcomes.merge(row.outcome(), 1, Integer::sum);
        rows.put(row.number(), row);
        if (rows.size() > MOST_ROWS) {
            rows.remove(rows.keySet().iterator().next());
        }
        return row;
    }

    private String titleOf(int number) {
        return number >= 1 && number <= agenda.items().size()
                ? FindingRow.shortened(agenda.items().get(number - 1).title())
                : "run " + number;
    }

    /** Marks everything as ended. */
    void over() {
        over = true;
        doing = "";
    }

    /** Returns the estimated end, epoch milliseconds; null if no runs remain. */
    @Nullable
    Long endMs(long nowMs) {
        OptionalLong endMs = over ? OptionalLong.empty() : estimate.endMs(nowMs);
        return endMs.isPresent() ? endMs.getAsLong() : null;
    }

    Progress progress(long nowMs) {
        Map<String, Integer> ended = new TreeMap<>(outcomes);
        ended.values().removeIf(count -> count == 0);
        return new Progress(
                FindingRow.shortened(agenda.plan()),
                new Progress.Current(current, title),
                Math.max(current, agenda.items().size()),
                doing,
                endMs(nowMs),
                ended,
                over);
    }

    List<Row> rows() {
        return new ArrayList<>(rows.values());
    }
}
