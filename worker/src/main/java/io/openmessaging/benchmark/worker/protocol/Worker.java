package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.LoadSpan;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import java.util.BitSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carries out one run, or its part of one: the whole conversation between coordinator and worker.
 *
 * <pre>
 * prepare ─ probe … ─┬─ start ─ change … ─ stop ─┬─ finish ─ close
 *                    └──────── again ◄───────────┘
 *            once prepared: status, period(1), period(2), …; prepare again for more clients, consume(false), consume(true)
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
     * @param processors how many the worker's process may use
     */
    record Prepared(int processors) {}

    /**
     * Opens the driver's connection, unless it is open, and creates the clients that are missing, consumers first. A load
     * that is on goes on; new producers send from the next {@link #start} on.
     */
    Prepared prepare(Prepare request) throws DriverException, InterruptedException;

    /**
     * Messages that are not part of the load are to show which ways are open.
     *
     * @param arrived the ways from a partition to a subscription that a probe has come by, at any worker, as numbered by
     *     {@link Topology#probeIndex}: topics of which a way is missing are sent a round of probes; null to send none
     */
    record Probe(@Nullable BitSet arrived) {}

    /**
     * What became of the probes.
     *
     * @param arrived the ways by which they have come to this worker
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
     * @param atNs when its schedule begins, epoch nanoseconds of the worker; 0 for as soon as the threads are ready
     * @param rates of this worker's producers together, from then on
     * @param messageCount after how many messages of this worker to end, {@link Long#MAX_VALUE} for when told to
     */
    record Start(int number, long atNs, RateProfile rates, long messageCount) {}

    /** Begins to send; the load before it has been stopped. */
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
     * How things are.
     *
     * @param totals counts since the start of the run
     * @param loadFinished whether every producer has sent what it was to send; true without a load
     * @param span when the messages of the latest load were on their way; null if none was sent, or if that is not kept,
     *     see {@link ClientOptions#keepsSpan()}
     * @param errors of sends and clients since the start of the run, by kind
     * @param usage what the worker's process has used since it started
     * @param failure the error that makes it impossible to go on; null while there is none
     */
    record Status(
            Totals totals,
            boolean loadFinished,
            @Nullable LoadSpan span,
            Map<String, Long> errors,
            HarnessUsage usage,
            @Nullable String failure) {}

    /** Tells how things are. */
    Status status() throws DriverException, InterruptedException;

    /**
     * What a worker has seen in a span of time.
     *
     * @param number of the period, from 1
     * @param seen its counts and latencies; the first period begins with {@link #prepare}, each other where the one before
     *     ended
     * @param unsent how long messages had waited that were due, but had not been sent by the time the threads of their
     *     load ended, of the loads that were stopped in the period; part of none of its latencies
     */
    record Period(int number, PeriodSnapshot seen, LatencySnapshot unsent) {}

    /**
     * Ends a period and tells what it has seen.
     *
     * @param number that of the current period, which ends now, or of the one before, which is told again
     */
    Period period(int number) throws DriverException, InterruptedException;

    /**
     * The load is to end. Messages on their way stay on their way.
     *
     * @param searchEnds whether it was the last load of a search for the sustainable rate: what was sent until now is
     *     audited apart
     */
    record Stop(boolean searchEnds) {}

    /** Ends sending. */
    void stop(Stop request) throws DriverException, InterruptedException;

    /** Closes producers and consumers and tells what was sent and has arrived. */
    AuditPart finish() throws DriverException, InterruptedException;

    /** Gives everything back. Works after any of the other requests has failed, too. */
    @Override
    void close() throws DriverException;
}
