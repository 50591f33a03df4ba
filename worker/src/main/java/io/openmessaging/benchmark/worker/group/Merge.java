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

/** What several workers tell, as one. Times are those of the coordinator's clock. Pure. */
final class Merge {

    private Merge() {}

    /** A worker's status by the coordinator's clock, and with its name where the user has to know it. */
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
     * The status of all.
     *
     * @param ofWorkers by the coordinator's clock, in the order of the workers; of a lost one, the last that it has told
     * @param lost those that are, in the order in which they were
     * @param kindsOfErrors what each group of errors is called, the same for the whole run; gets those that are new
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

    /** That of a worker which is lost: whatever its load was, it is no more. */
    static Status ended(Status last) {
        return new Status(
                last.totals(),
                new LatestLoad(true, last.load().span(), last.load().beganNs()),
                last.errors(),
                last.usage(),
                last.lost(),
                last.failure());
    }

    /** That of a worker which was lost before it had told any. */
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
     * A period of all.
     *
     * @param ofWorkers by the coordinator's clock, in the order of the workers
     * @param keepsEach whether it is to have what each of them saw
     * @param used by all of them
     */
    static Period period(int number, List<Period> ofWorkers, boolean keepsEach, ResourcePeriod used) {
        List<PeriodSnapshot> seen = ofWorkers.stream().map(Period::seen).toList();
        List<LatencySnapshot> unsent =
                ofWorkers.stream().flatMap(period -> period.unsent().stream()).toList();
        return keepsEach
                ? new Period(number, PeriodSnapshot.mergedWithEach(seen), unsent, used)
                : new Period(number, PeriodSnapshot.merged(seen), List.of(LatencySnapshot.sum(unsent)), used);
    }

    /** What became of the probes of all. */
    static Probed probed(Collection<Probed> ofWorkers, @Nullable String error) {
        BitSet arrived = new BitSet();
        ofWorkers.forEach(probed -> arrived.or(probed.arrived()));
        return new Probed(
                arrived, ofWorkers.stream().mapToLong(Probed::onTheirWay).sum(), error);
    }

    /**
     * The marks of all producers.
     *
     * @param unreported the producers of lost workers: whatever they have sent was of the search
     */
    static Marks marks(Collection<Marks> ofWorkers, List<Integer> unreported) {
        Map<Integer, Long> all = new HashMap<>();
        unreported.forEach(producer -> all.put(producer, Long.MAX_VALUE));
        ofWorkers.forEach(marks -> all.putAll(marks.sequences()));
        return new Marks(all);
    }
}
