package io.openmessaging.benchmark.fleet;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.clock.WatchedClock;
import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.worker.remote.Visit;
import io.openmessaging.benchmark.worker.remote.WorkerException;
import io.openmessaging.benchmark.worker.remote.Workers;
import io.openmessaging.benchmark.worker.transport.WorkerInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whether workers are reachable, of this build, and free or busy, and how their clocks are.
 *
 * @param lines a line for each worker
 * @param problems those of the lines whose workers cannot be used, whether now or at all
 * @param mayPass true if those workers are only away, false if anything else is wrong with one
 */
record Inspection(List<String> lines, List<String> problems, boolean mayPass) {

    private static final Duration PAUSE = Duration.ofSeconds(1);

    /**
     * Asks all workers at the same time, as a run would; claims free ones for the moment.
     *
     * @throws FleetException if an address is not that of a worker
     */
    static Inspection of(List<Address> workers, Workers.ConnectOptions coordinator)
            throws FleetException, InterruptedException {
        List<String> urls = workers.stream().map(Address::toString).toList();
        try (Visit visit = Visit.pay(urls, coordinator);
                FleetClocks clocks = FleetClocks.open()) {
            Map<String, WatchedClock> watched = new HashMap<>();
            for (Visit.Seen seen : visit.all()) {
                seen.claimed().ifPresent(free -> watched.put(seen.worker(), clocks.watch(seen.worker(), free)));
            }
            FleetClocks.await(List.copyOf(watched.values()));
            return of(visit.all(), watched);
        } catch (WorkerException e) {
            throw Fleet.refused(e);
        }
    }

    private static Inspection of(List<Visit.Seen> all, Map<String, WatchedClock> watched) {
        List<String> lines = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        boolean mayPass = true;
        Map<String, String> seenBefore = new HashMap<>();
        for (Visit.Seen seen : all) {
            String problem = seen.problem()
                    .or(() -> seen.info()
                            .map(info -> seenBefore.putIfAbsent(info.incarnation(), seen.worker()))
                            .map(same -> "is the same process as " + same))
                    .orElse(null);
            String line = seen.worker() + ": " + describe(seen, watched.get(seen.worker()), problem);
            lines.add(line);
            if (problem != null) {
                problems.add(line);
                mayPass &= seen.mayPass();
            }
        }
        return new Inspection(lines, problems, mayPass);
    }

    /**
     * Asks workers again while one is away, for a time at most. A worker that has just started on a busy machine may
     * take longer for its first answer than a run would wait.
     *
     * @param console receives why this waits
     */
    static Inspection within(
            Duration limit, List<Address> workers, Workers.ConnectOptions coordinator, Consumer<String> console)
            throws FleetException, InterruptedException {
        long beganNs = System.nanoTime();
        Inspection last = of(workers, coordinator);
        boolean told = false;
        while (!last.problems.isEmpty() && last.mayPass && System.nanoTime() - beganNs < limit.toNanos()) {
            if (!told) {
                told = true;
                console.accept("waiting for workers, " + DurationText.format(limit) + " at most: "
                        + String.join("; ", last.problems));
            }
            Thread.sleep(PAUSE.toMillis());
            last = of(workers, coordinator);
        }
        return last;
    }

    private static String describe(Visit.Seen seen, @Nullable WatchedClock watched, @Nullable String problem) {
        if (seen.info().isEmpty()) {
            return String.valueOf(problem);
        }
        WorkerInfo info = seen.info().get();
        String place =
                FleetClocks.describe(info, watched == null ? seen.roundTripNs() : FleetClocks.roundTripNs(watched));
        if (problem != null) {
            return place + ": " + problem;
        }
        return info.busy() != null
                ? place + ", busy: " + info.busy()
                : place + ", " + (watched == null ? "" : FleetClocks.describe(watched) + ", ") + "free";
    }
}
