package io.openmessaging.benchmark.worker.group;

import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.worker.protocol.Worker.Period;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Merges the periods of all workers. Each period of a worker starts at the end of its previous one, even if the
 * estimate of its clock's offset has changed in between; those of a lost worker are empty.
 */
final class Shares {

    private final List<Member> members;

    /** The last measurements of each worker, by the coordinator's clock. */
    private final SortedMap<Integer, PeriodSnapshot> told = new TreeMap<>();

    private final boolean keepsEach;

    /**
     * Creates shares without any period.
     *
     * @param keepsEach true if merged periods also contain the measurements of each worker
     */
    Shares(List<Member> members, boolean keepsEach) {
        this.members = members;
        this.keepsEach = keepsEach;
    }

    /**
     * Merges a period.
     *
     * @param answers periods of the remaining workers, by their own clocks
     * @param used resources used by all workers
     */
    Period merged(int number, SortedMap<Integer, Period> answers, int subscriptions, ResourcePeriod used) {
        answers.forEach((index, period) -> told.put(index, moved(index, period.seen())));
        long endNs = answers.keySet().stream()
                .mapToLong(index -> of(index).endNs())
                .max()
                .orElseGet(() -> told.values().stream()
                        .mapToLong(PeriodSnapshot::endNs)
                        .max()
                        .orElse(0));
        List<Period> all = new ArrayList<>();
        for (int index = 0; index < members.size(); index++) {
            Period answer = answers.get(index);
            all.add(
                    answer == null
                            ? new Period(
                                    number,
                                    nothing(endNs, told.get(index), subscriptions),
                                    List.of(LatencySnapshot.empty()),
                                    ResourcePeriod.NONE)
                            : new Period(number, of(index), answer.unsent(), answer.used()));
        }
        return Merge.period(number, all, keepsEach, used);
    }

    private PeriodSnapshot of(int index) {
        PeriodSnapshot seen = told.get(index);
        if (seen == null) {
            throw new IllegalArgumentException("worker " + index + " has reported no period");
        }
        return seen;
    }

    private PeriodSnapshot moved(int index, PeriodSnapshot seen) {
        long aheadNs = members.get(index).clock().aheadNs();
        PeriodSnapshot before = told.get(index);
        long startNs = before == null ? seen.startNs() - aheadNs : before.endNs();
        return seen.over(startNs, Math.max(startNs, seen.endNs() - aheadNs));
    }

    /**
     * Returns the measurements of a lost worker: a period without length, with the last totals received. It is at the
     * end of the others' period: over a whole measurement, the rate of a lost worker is what it sent over all the time,
     * not only over that in which it lived.
     */
    private static PeriodSnapshot nothing(long atNs, @Nullable PeriodSnapshot before, int subscriptions) {
        Totals none = Totals.none(subscriptions);
        return new PeriodSnapshot(atNs, atNs, none, before == null ? none : before.totals(), Map.of());
    }
}
