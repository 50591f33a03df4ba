package io.openmessaging.benchmark.worker.group;

import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.measure.ErrorCounts;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.LoadSpan;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.worker.protocol.Worker.Failure;
import io.openmessaging.benchmark.worker.protocol.Worker.LatestLoad;
import io.openmessaging.benchmark.worker.protocol.Worker.Lost;
import io.openmessaging.benchmark.worker.protocol.Worker.Marks;
import io.openmessaging.benchmark.worker.protocol.Worker.Period;
import io.openmessaging.benchmark.worker.protocol.Worker.Probed;
import io.openmessaging.benchmark.worker.protocol.Worker.Status;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Merges the answers of several workers into one. Times are those of the coordinator's clock. Pure. */
final class Merge {

    private Merge() {}

    /** Converts a worker's status to the coordinator's clock, and adds the worker's name where the user needs it. */
    static Status moved(Status status, Offset clock, String name) {
        Map<Integer, Long> began = new HashMap<>();
        status.load().beganNs().forEach((worker, ns) -> began.put(worker, ns - clock.aheadNs()));
        return new Status(
                status.totals(),
                new LatestLoad(
                        status.load().finished(),
                        status.load().span() == null
                                ? null
                                : status.load().span().movedBy(-clock.aheadNs()),
                        began),
                status.errors(),
                status.usage(),
                status.lost(),
                status.failure() == null
                        ? null
                        : new Failure(
                                status.failure().atNs() - clock.aheadNs(),
                                name + ": " + status.failure().reason()));
    }

    /**
     * Merges the status of all workers.
     *
     * @param ofWorkers by the coordinator's clock, in the order of the workers; for a lost one, the last one received
     * @param lost lost workers, in the order in which they were lost
     * @param kindsOfErrors name of each group of errors, constant for the whole run; new groups are added to it
     */
    static Status status(List<Status> ofWorkers, List<Lost> lost, Map<String, String> kindsOfErrors) {
        Map<Integer, Long> began = new TreeMap<>();
        Map<String, Long> errors = new TreeMap<>();
        for (Status status : ofWorkers) {
            began.putAll(status.load().beganNs());
            status.errors()
                    .forEach((kind, count) -> errors.merge(
                            kindsOfErrors.computeIfAbsent(ErrorCounts.group(kind), group -> kind), count, Long::sum));
        }
        return new Status(
                ofWorkers.stream().map(Status::totals).reduce(Totals::plus).orElseThrow(),
                new LatestLoad(
                        ofWorkers.stream().allMatch(status -> status.load().finished()),
                        ofWorkers.stream()
                                .map(status -> status.load().span())
                                .filter(Objects::nonNull)
                                .map(Objects::requireNonNull)
                                .reduce(LoadSpan::mergedWith)
                                .orElse(null),
                        began),
                errors,
                ofWorkers.stream().flatMap(status -> status.usage().stream()).toList(),
                lost,
                ofWorkers.stream()
                        .map(Status::failure)
                        .filter(Objects::nonNull)
                        .map(Objects::requireNonNull)
                        .min(Comparator.comparingLong(Failure::atNs))
                        .orElse(null));
    }

    /** Returns the status of a worker that is lost: its load has ended. */
    static Status ended(Status last) {
        return new Status(
                last.totals(),
                new LatestLoad(true, last.load().span(), last.load().beganNs()),
                last.errors(),
                last.usage(),
                last.lost(),
                last.failure());
    }

    /** Returns the status of a worker that was lost before it reported one. */
    static Status unreported(int subscriptions) {
        HarnessUsage unknown = new HarnessUsage(0, 0, 0, 0, 0);
        return new Status(
                Totals.none(subscriptions),
                new LatestLoad(true, null, Map.of()),
                Map.of(),
                List.of(unknown),
                List.of(),
                null);
    }

    /**
     * Merges a period of all workers.
     *
     * @param ofWorkers by the coordinator's clock, in the order of the workers
     * @param keepsEach true if the result also contains the periods of each worker
     * @param used resources used by all of them
     */
    static Period period(int number, List<Period> ofWorkers, boolean keepsEach, ResourcePeriod used) {
        List<PeriodSnapshot> seen = ofWorkers.stream().map(Period::seen).toList();
        List<LatencySnapshot> unsent =
                ofWorkers.stream().flatMap(period -> period.unsent().stream()).toList();
        return keepsEach
                ? new Period(number, PeriodSnapshot.mergedWithEach(seen), unsent, used)
                : new Period(number, PeriodSnapshot.merged(seen), List.of(LatencySnapshot.sum(unsent)), used);
    }

    static Probed probed(Collection<Probed> ofWorkers, @Nullable String error) {
        BitSet arrived = new BitSet();
        ofWorkers.forEach(probed -> arrived.or(probed.arrived()));
        return new Probed(
                arrived, ofWorkers.stream().mapToLong(Probed::onTheirWay).sum(), error);
    }

    /**
     * Merges the marks of all producers.
     *
     * @param unreported producers of lost workers: everything they have sent belongs to the search
     */
    static Marks marks(Collection<Marks> ofWorkers, List<Integer> unreported) {
        Map<Integer, Long> all = new HashMap<>();
        unreported.forEach(producer -> all.put(producer, Long.MAX_VALUE));
        ofWorkers.forEach(marks -> all.putAll(marks.sequences()));
        return new Marks(all);
    }
}
