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
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carries out one run, or its part of one: the whole conversation between coordinator and worker. A {@link
 * io.openmessaging.benchmark.worker.group.Group} of workers is one, too.
 *
 * <pre>
 * prepare ─ probe … ─┬─ start ─ change … ─ stop ─ (endSearch) ─┬─ finish ─ close
 *                    └──────────────── again ◄─────────────────┘
 *            once prepared: status, period(1), period(2), …, clocks; prepare again for more clients, consume(false), consume(true)
 * </pre>
 *
 * <p>What passes through is plain data, so a worker may be in another process (see {@link RemoteWorker}). Every request
 * says what is to be, not what is to be done: one that comes a second time changes nothing and has the same answer.
 *
 * <p>Called by one thread at a time. Requests block as long as the driver does and throw the driver's sentence. An error
 * outside of a request is part of the {@link Status}.
 */
public interface Worker extends AutoCloseable {

    /**
     * The clients that there are to be.
     *
     * @param run what they are part of; the same in every request of a run
     * @param producersPerTopic how many producers each topic is to have, counted from its first, at all workers together;
     *     never fewer than before
     * @param consumersPerSubscription how many consumers each subscription is to have, at all workers together; never fewer
     *     than before
     */
    record Prepare(RunDescription run, int producersPerTopic, int consumersPerSubscription) {}

    /**
     * All clients are there: producers can send, and what is sent from now on reaches each subscription.
     *
     * @param machines of the workers, in their order
     * @param placements which of the producers and consumers each worker has, likewise
     */
    record Prepared(List<WorkerMachine> machines, List<Placement> placements) {}

    /**
     * Opens the driver's connection, unless it is open, and creates the clients that are missing, consumers first. A load
     * that is on continues; new producers send from the next {@link #start} on.
     */
    Prepared prepare(Prepare request) throws DriverException, InterruptedException;

    /**
     * Messages that are not part of the load are to show which ways are open.
     *
     * @param series probes count only for theirs: 1 before the load, 2 after it; a new one begins with no way open
     * @param arrived the ways from a partition to a subscription that a probe has come by, at any worker, as numbered by
     *     {@link Topology#probeIndex}: topics of which a way is missing are sent a round of probes; null to send none
     */
    record Probe(int series, @Nullable BitSet arrived) {}

    /**
     * What became of the probes.
     *
     * @param arrived the ways by which those of the series have come to this worker
     * @param onTheirWay how many copies of this worker's probes were not refused, less all that have arrived here: of all
     *     workers together, how many are on their way; of one that gets others' probes it may be below 0
     * @param error why the last probe that failed could not be sent; null if none failed
     */
    record Probed(BitSet arrived, long onTheirWay, @Nullable String error) {}

    /** Sends a round of probes, or none, and tells what has become of all of them. */
    Probed probe(Probe request) throws DriverException, InterruptedException;

    /**
     * A load: what all producers that there are send, until told to stop or to their last message.
     *
     * @param number of the load, from 1
     * @param atNs when its schedule begins, epoch nanoseconds of the worker; 0 for as soon as all threads can be ready
     * @param rates of this worker's producers together, from then on
     * @param messageCount after how many messages of this worker to end, {@link Long#MAX_VALUE} for when told to
     */
    record Start(int number, long atNs, RateProfile rates, long messageCount) {}

    /**
     * How long before it begins a load is to be asked for, in nanoseconds; 0 for one that may begin as soon as it is. Answered
     * at once and by this side.
     */
    default long startLeadNs() {
        return 0;
    }

    /**
     * Begins to send; the load before it has been stopped. Returns as soon as it is sure that the load begins: of a load that
     * begins later, before it does.
     */
    void start(Start request) throws DriverException, InterruptedException;

    /**
     * Other rates for the load that is on; what is overdue stays due.
     *
     * @param atNs from when on, epoch nanoseconds of the worker, not before the load begins; 0 for now
     * @param rates of this worker's producers together, from then on
     */
    record Change(long atNs, RateProfile rates) {}

    /** Changes the rates. */
    void change(Change request) throws DriverException, InterruptedException;

    /** Whether messages are to be delivered to consumers: false pauses them. */
    void consume(boolean delivered) throws DriverException, InterruptedException;

    /**
     * A worker that does not answer any more.
     *
     * @param worker its index
     * @param name for people
     * @param sinceNs when that was found out, epoch nanoseconds
     * @param reason why it counts as lost
     */
    record Lost(int worker, String name, long sinceNs, String reason) {

        /** The same as a sentence. */
        public String sentence() {
            return name + " was lost: " + reason;
        }
    }

    /**
     * An error that makes it impossible to continue.
     *
     * @param atNs when it happened, epoch nanoseconds
     * @param reason as a sentence
     */
    record Failure(long atNs, String reason) {}

    /**
     * The load that was put on last.
     *
     * @param finished whether every producer has sent what it was to send; true without a load
     * @param span when its messages were on their way; null if none was sent and none has arrived, or if that is not kept,
     *     see {@link ClientOptions#keepsSpan()}
     * @param beganNs when it began, by the index of each worker that has sent of it: by as much later than it was to as its
     *     first message was
     */
    record LatestLoad(boolean finished, @Nullable LoadSpan span, Map<Integer, Long> beganNs) {}

    /**
     * How things are.
     *
     * @param totals counts since the start of the run; of a lost worker, what it had told last
     * @param load how the load is, or the one before if there is none
     * @param errors of sends and clients since the start of the run, by kind, which is the first error of it
     * @param usage what each worker's process has used since it started, in the order of the workers
     * @param lost the workers that do not answer any more, in the order in which they were lost
     * @param failure the first error that makes it impossible to continue; null while there is none
     */
    record Status(
            Totals totals,
            LatestLoad load,
            Map<String, Long> errors,
            List<HarnessUsage> usage,
            List<Lost> lost,
            @Nullable Failure failure) {}

    /**
     * Tells how things are.
     *
     * @param clocks how far the clocks of all workers are from the coordinator's, from now on, in the order of the workers,
     *     this one included: what comes from another worker is timed by that; empty if there is no news
     */
    Status status(List<Offset> clocks) throws DriverException, InterruptedException;

    /** The same without news of clocks. */
    default Status status() throws DriverException, InterruptedException {
        return status(List.of());
    }

    /**
     * What a worker has seen in a span of time.
     *
     * @param number of the period, from 1
     * @param seen its counts and latencies; the first period begins with {@link #prepare}, each other where the one before
     *     ended
     * @param unsent how long messages had waited that were due, but had not been sent by the time the threads of their
     *     load ended, of the loads that were stopped in the period; part of none of its latencies. Where it is kept what each
     *     of several workers saw, an entry for each, in their order; otherwise one
     * @param used what the worker's process and its machine have used in it; of several workers, an entry for each, in their
     *     order, and then one for each of their machines. Empty where the coordinator watches them itself, and where nobody does
     */
    record Period(int number, PeriodSnapshot seen, List<LatencySnapshot> unsent, ResourcePeriod used) {}

    /**
     * Ends a period and tells what it has seen.
     *
     * @param number that of the current period, which ends now, or of the one before, which is told again
     */
    Period period(int number) throws DriverException, InterruptedException;

    /**
     * The load is to end. Messages on their way stay on their way.
     *
     * @param searchEnds whether it was the last load of a search for the sustainable rate, so that the answer has marks
     */
    record Stop(boolean searchEnds) {}

    /**
     * How far producers have come.
     *
     * @param sequences the sequence number of the next message of each producer, by its number; empty if nobody asked
     */
    record Marks(Map<Integer, Long> sequences) {}

    /** Ends sending and tells how far this worker's producers have come. */
    Marks stop(Stop request) throws DriverException, InterruptedException;

    /**
     * What was sent until now belonged to a search and is audited apart. Asked for while nothing is sent, and again where
     * what was sent since then turned out to belong to it.
     *
     * @param marks of all producers that there are, of all workers together
     */
    void endSearch(Marks marks) throws DriverException, InterruptedException;

    /** Closes producers and consumers and tells what was sent and has arrived. */
    AuditPart finish() throws DriverException, InterruptedException;

    /** Gives everything back. Works after any of the other requests has failed, too. */
    @Override
    void close() throws DriverException;
}
