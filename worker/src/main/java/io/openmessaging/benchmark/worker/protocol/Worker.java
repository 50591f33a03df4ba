package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.LoadSpan;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Executes one run, or its part of one. This interface is the complete protocol between coordinator and worker. A
 * {@link io.openmessaging.benchmark.worker.group.Group} of workers is a worker, too.
 *
 * <pre>
 * prepare ─ probe … ─┬─ start ─ change … ─ stop ─ (endSearch) ─┬─ finish ─ close
 *                    └──────────────── again ◄─────────────────┘
 *            once prepared: status, period(1), period(2), …; prepare again for more clients;
 *            consume(false), consume(true)
 * </pre>
 *
 * <p>All arguments and results are plain data, so a worker may run in another process (see {@link Call}).
 * Every request describes the desired state instead of an action: a repeated request changes nothing and gets the same
 * answer.
 *
 * <p>Called by one thread at a time. Requests block as long as the driver does and throw the driver's message. An
 * error outside of a request is part of the {@link Status}.
 */
public interface Worker extends AutoCloseable {

    /**
     * The clients that should exist.
     *
     * @param run the run they belong to; equal in all requests of a run
     * @param producersPerTopic number of producers per topic on all workers together, counted from the topic's first;
     *     never fewer than before
     * @param consumersPerSubscription number of consumers per subscription on all workers together; never fewer than
     *     before
     */
    record Prepare(RunDescription run, int producersPerTopic, int consumersPerSubscription) {}

    /**
     * All clients exist: producers can send, and messages sent from now on reach each subscription.
     *
     * @param machines machines of the workers, in the order of the workers
     * @param placements producers and consumers of each worker, in the same order
     */
    record Prepared(List<WorkerMachine> machines, List<Placement> placements) {}

    /**
     * Opens the driver's connection unless it is open, and creates the missing clients, if there are any, consumers
     * first. A current load continues; new producers send from the next {@link #start} on.
     */
    Prepared prepare(Prepare request) throws DriverException, InterruptedException;

    /**
     * A request for probes: messages that are not part of the load and show which paths are open.
     *
     * @param series number that probes must have to count: 1 before the load, 2 after it; a new series starts with no
     *     open path
     * @param arrived paths from a partition to a subscription on which a probe has arrived at any worker, numbered by
     *     {@link Topology#probeIndex}. Each topic with a missing path gets a round of probes; null to send none
     */
    record Probe(int series, @Nullable BitSet arrived) {}

    /**
     * The state of the probes.
     *
     * @param arrived paths on which probes of the series have arrived at this worker
     * @param onTheirWay copies of this worker's probes that were not refused, minus all copies that arrived here: in
     *     sum over all workers, the number in flight. May be negative for a worker that receives others' probes
     * @param error reason why the last failed probe could not be sent; null if none failed
     */
    record Probed(BitSet arrived, long onTheirWay, @Nullable String error) {}

    /** Sends a round of probes, or none, and returns the state of all of them. */
    Probed probe(Probe request) throws DriverException, InterruptedException;

    /**
     * A load: all existing producers send until they are stopped or have sent their last message.
     *
     * @param number number of the load, from 1
     * @param atNs start of its schedule, epoch nanoseconds of the worker; 0 for as soon as all threads can be ready
     * @param rates total rates of this worker's producers, from that time on
     * @param messageCount number of messages of this worker after which the load ends; {@link Long#MAX_VALUE} to send
     *     until stopped
     */
    record Start(int number, long atNs, RateProfile rates, long messageCount) {}

    /**
     * Starts to send; the previous load has been stopped. Returns as soon as the start is certain, which is before a
     * load with a later start time starts.
     *
     * @return start of the load's schedule, epoch nanoseconds of the worker
     */
    long start(Start request) throws DriverException, InterruptedException;

    /**
     * New rates for the current load; overdue messages stay due.
     *
     * @param atNs time from which they apply, epoch nanoseconds of the worker, not before the start of the load; 0 for
     *     now
     * @param rates total rates of this worker's producers, from that time on
     */
    record Change(long atNs, RateProfile rates) {}

    void change(Change request) throws DriverException, InterruptedException;

    /** Sets whether messages are delivered to consumers: false pauses them. */
    void consume(boolean delivered) throws DriverException, InterruptedException;

    /**
     * A worker that no longer answers.
     *
     * @param worker index of the worker
     * @param name name of the worker, for people
     * @param sinceNs time at which the loss was noticed, epoch nanoseconds
     * @param reason reason why it counts as lost
     * @param inFlight messages that it had in flight when it last answered: nobody will tell what became of them
     */
    record Lost(int worker, String name, long sinceNs, String reason, long inFlight) {

        /** Returns a copy with another number of messages in flight. */
        public Lost holding(long messages) {
            return new Lost(worker, name, sinceNs, reason, messages);
        }

        public String sentence() {
            return name + " was lost: " + reason;
        }
    }

    /**
     * An error that makes it impossible to continue.
     *
     * @param atNs time of the error, epoch nanoseconds
     * @param reason reason as a sentence
     */
    record Failure(long atNs, String reason) {}

    /**
     * The load that was started last.
     *
     * @param finished true if every producer has sent all its messages, or if there was no load
     * @param span time during which its messages were in flight; null if none was sent and none arrived, or if this is
     *     not recorded, see {@link ClientOptions#keepsSpan()}
     * @param beganNs start of the load by the index of each worker that sent messages of it: the intended start plus
     *     the delay of the worker's first message
     */
    record LatestLoad(boolean finished, @Nullable LoadSpan span, Map<Integer, Long> beganNs) {}

    /**
     * The state of a worker.
     *
     * @param totals counts since the start of the run; for a lost worker, the last ones received
     * @param load the current load, or the previous one if there is none
     * @param errors number of send and client errors since the start of the run by kind, which is the text of the
     *     first such error
     * @param usage resources used by each worker's process since it started, in the order of the workers
     * @param lost workers that no longer answer, in the order in which they were lost
     * @param failure first error that makes it impossible to continue; null while there is none
     */
    record Status(
            Totals totals,
            LatestLoad load,
            Map<String, Long> errors,
            List<HarnessUsage> usage,
            List<Lost> lost,
            @Nullable Failure failure) {

        /** Returns the number of errors by kind since an earlier state, without kinds of which there were none. */
        public Map<String, Long> errorsSince(Status before) {
            Map<String, Long> since = new HashMap<>(errors);
            before.errors.forEach((kind, count) -> since.merge(kind, -count, Long::sum));
            since.values().removeIf(count -> count <= 0);
            return since;
        }
    }

    /**
     * Returns the worker's state.
     *
     * @param clocks offsets of all workers' clocks from the coordinator's, valid from now on, in the order of the
     *     workers and including this one. Messages from other workers are timed with them; empty if nothing has
     *     changed
     */
    Status status(List<Offset> clocks) throws DriverException, InterruptedException;

    /** Returns the worker's state and leaves the clock offsets unchanged. */
    default Status status() throws DriverException, InterruptedException {
        return status(List.of());
    }

    /**
     * A worker's measurements of one period.
     *
     * @param number number of the period, from 1
     * @param seen counts and latencies; the first period starts with {@link #prepare}, every other one at the end of
     *     the previous
     * @param unsent waiting times of messages that were due but not sent when the threads of their load ended, for
     *     loads stopped in this period; not part of its latencies. One entry for each of several workers, in their
     *     order, where results are kept per worker; otherwise one entry
     * @param used resources used by the worker's process and its machine; for several workers, an entry for each in
     *     their order, then one for each of their machines. Empty where the coordinator watches them itself or nobody
     *     does
     */
    record Period(int number, PeriodSnapshot seen, List<LatencySnapshot> unsent, ResourcePeriod used) {}

    /**
     * Ends a period and returns its measurements.
     *
     * @param number number of the current period, which ends now, or of the previous one, which is returned again
     */
    Period period(int number) throws DriverException, InterruptedException;

    /**
     * A request to end the load. Messages in flight stay in flight.
     *
     * @param searchEnds true for the last load of a search for the sustainable rate: the answer then has marks
     */
    record Stop(boolean searchEnds) {}

    /**
     * The positions of producers in their sequences of messages.
     *
     * @param sequences sequence number of each producer's next message, by number of the producer; empty if not
     *     requested
     */
    record Marks(Map<Integer, Long> sequences) {}

    /** Stops sending and returns the positions of this worker's producers. */
    Marks stop(Stop request) throws DriverException, InterruptedException;

    /**
     * Declares everything sent until now part of a search, which is audited separately. Called while nothing is sent;
     * called again if messages sent since then turn out to belong to the search.
     *
     * @param marks marks of all existing producers, of all workers together
     */
    void endSearch(Marks marks) throws DriverException, InterruptedException;

    /** Closes producers and consumers and returns which messages were sent and which arrived. */
    AuditPart finish() throws DriverException, InterruptedException;

    /** Releases everything. Works even after another request has failed. */
    @Override
    void close() throws DriverException;
}
