package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.LoadSpan;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Carries out one run, or its part of one.
 *
 * <p>Called by the coordinator's one thread, in the order in which the methods stand here; {@link #startLoad} to {@link
 * #stopLoad()} may come several times. Control calls block as long as the driver's do and throw the driver's errors.
 * An error outside of a call is found by {@link #failure()}.
 */
public interface Worker extends AutoCloseable {

    /** Opens the driver's connection. */
    BrokerDescription connect(WorkerPlan plan) throws DriverException, InterruptedException;

    /** Creates topics. */
    void createTopics(List<TopicSpec> topics) throws DriverException, InterruptedException;

    /** Creates consumers; returns when all are attached. More may join later, while load is on. */
    void createConsumers(List<Topology.Consumer> consumers) throws DriverException, InterruptedException;

    /** Creates producers. More may be created later; they send from the next {@link #startLoad} on. */
    void createProducers(List<ProducerSpec> producers) throws DriverException, InterruptedException;

    /**
     * Sends probes to the topics of which parts are still missing, through one of this worker's producers each.
     *
     * @param arrived what {@link #arrivedProbes} of all workers together have
     */
    void sendProbes(BitSet arrived) throws InterruptedException;

    /**
     * From where to where probes have arrived at this worker: the bits numbered by {@link Topology#probeIndex}.
     */
    BitSet arrivedProbes();

    /** How many copies of probes that this worker has sent, and that were not refused, have not arrived. */
    long probesOnTheirWay();

    /** Why a probe could not be sent, if one could not. */
    Optional<Throwable> probeError();

    /** Starts to send, with all producers that there are. */
    void startLoad(LoadPlan plan);

    /** From now on, sends at other rates; what is overdue stays due. */
    void changeRate(RateProfile rates);

    /**
     * When the messages of the load that was started last were on their way; empty if none was sent, or if that is not
     * kept, see {@link ClientOptions#keepsSpan()}.
     */
    Optional<LoadSpan> loadSpan();

    /** Stops the delivery of messages to consumers. */
    void pauseConsumers() throws DriverException, InterruptedException;

    /** Takes delivery up again. */
    void resumeConsumers() throws DriverException, InterruptedException;

    /** Whether every producer has sent the messages that it was to send. */
    boolean loadFinished();

    /** Counts since the start of the run. */
    Totals totals();

    /** Ends the current period and returns what it has seen; the first begins with {@link #connect}. */
    PeriodSnapshot sample();

    /**
     * How long messages had waited that were due when a load was stopped, but had not been sent by the time its threads
     * ended: of the loads that were stopped since the last call.
     */
    LatencySnapshot takeUnsent();

    /** What this worker's process has used since it started. */
    HarnessUsage usage();

    /** The errors of sends and clients so far, by kind. */
    Map<String, Long> errors();

    /** The error that makes it impossible to go on, once there is one. */
    Optional<Throwable> failure();

    /** Ends sending. Messages on their way stay on their way. */
    void stopLoad() throws DriverException, InterruptedException;

    /**
     * A search for the sustainable rate has ended: what was sent until now is audited apart. Called at most once, while no
     * load is on.
     */
    void endSearch();

    /** Closes producers and consumers and returns what was sent and has arrived. */
    AuditPart closeClients() throws DriverException;

    /** Deletes topics. */
    void deleteTopics(List<TopicSpec> topics) throws DriverException, InterruptedException;

    /** Releases everything. Works after any of the other methods has failed, too. */
    @Override
    void close() throws DriverException;
}
