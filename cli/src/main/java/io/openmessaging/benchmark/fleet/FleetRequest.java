package io.openmessaging.benchmark.fleet;

import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.worker.group.Roles;
import io.openmessaging.benchmark.worker.remote.WorkerTimeouts;
import io.openmessaging.benchmark.worker.transport.Loopback;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The workers that the user requests.
 *
 * @param addresses their addresses; empty if they have to be started
 * @param processes number of workers to start on this machine; 0 if they exist already
 * @param key the file with the key that they have as well; null if none is needed
 * @param insecure whether workers on other machines may be accessed without a key
 * @param roles which of them send and which receive
 * @param workerLogs whether each of them gets an interval log of its own
 * @param waits how long to wait for them
 */
public record FleetRequest(
        List<Address> addresses,
        int processes,
        @Nullable Path key,
        boolean insecure,
        Roles roles,
        boolean workerLogs,
        Waits waits) {

    /**
     * How long to wait for workers.
     *
     * @param timeouts time limits for calls
     * @param forWorkers how long to wait for workers that are busy or away; null for the defaults: not at all at the
     *     start, and {@link #RETURN} before another run
     * @param withoutLost true if another run goes on without lost workers that have not returned then
     */
    public record Waits(WorkerTimeouts timeouts, @Nullable Duration forWorkers, boolean withoutLost) {

        /** Time in which a lost worker has to return before the next run of a plan starts, unless the user sets it. */
        static final Duration RETURN = Duration.ofSeconds(60);

        /** The defaults, with these time limits for calls. */
        public static Waits with(WorkerTimeouts timeouts) {
            return new Waits(timeouts, null, false);
        }

        Duration atStart() {
            return forWorkers == null ? Duration.ZERO : forWorkers;
        }

        Duration betweenRuns() {
            return forWorkers == null ? RETURN : forWorkers;
        }
    }

    /** Returns the time limits for calls. */
    public WorkerTimeouts timeouts() {
        return waits.timeouts();
    }

    /** Requests a worker on this machine for each producer and each consumer of a run. */
    public static FleetRequest ofEachClient(Workload workload) {
        return new FleetRequest(
                List.of(),
                clients(workload),
                null,
                false,
                Roles.ONE_EACH,
                false,
                Waits.with(WorkerTimeouts.defaults()));
    }

    /** Returns the largest number of producers and consumers that a run has at a time. */
    public static int clients(Workload workload) {
        int consumers =
                workload.hasConsumers() ? workload.subscriptionsPerTopic() * workload.consumerPerSubscription() : 0;
        return workload.topics() * (workload.producersPerTopic() + consumers);
    }

    /** Returns the number of workers. */
    public int count() {
        return processes + addresses.size();
    }

    /**
     * Returns the workers that may be on another machine. Does not look names up: a name that has to be looked up does
     * not mean this machine.
     */
    public List<Address> elsewhere() {
        return addresses.stream()
                .filter(address -> !Loopback.isName(address.host()))
                .toList();
    }

    /** Describes the workers and their roles. */
    public String describe() {
        String which = processes > 0
                ? processes + " on this machine, started for the runs"
                : addresses.stream().map(Address::toString).collect(Collectors.joining(", "));
        return which + " (" + describe(roles, count()) + ")";
    }

    private static String describe(Roles roles, int workers) {
        int senders = roles.placements(workers, workers).get(0).producerWorkers();
        if (senders < workers) {
            return "the first " + senders + " send, " + (workers - senders) + " receive";
        }
        return workers == 1 ? "sends and receives" : "all send and receive";
    }
}
