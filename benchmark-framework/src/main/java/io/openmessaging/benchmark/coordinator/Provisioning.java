package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.StepPlan;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.coordinator.session.RunFailedException;
import io.openmessaging.benchmark.coordinator.session.RunSession;
import io.openmessaging.benchmark.coordinator.session.Time;
import io.openmessaging.benchmark.coordinator.session.Waiting;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.worker.SystemControl;
import io.openmessaging.benchmark.worker.protocol.Topology;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates what a run needs and checks that all of it works, before any load; releases it at the end. */
final class Provisioning {

    private static final Logger LOG = LoggerFactory.getLogger(Provisioning.class);

    /** Time for a round of probes to arrive before another is sent. */
    private static final long ROUND_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /**
     * Probes on their way count as lost once none has arrived for this long: some were sent before a consumer could
     * get them.
     */
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final int BEFORE_LOAD = 1;
    private static final int AFTER_LOAD = 2;

    private static final String NO_LEADER = "none";

    private final RunSession session;
    private final SystemControl control;
    private final Worker worker;
    private final Topology topology;
    private final Time time;

    Provisioning(RunSession session) {
        this.session = session;
        this.control = session.request.system().control();
        this.worker = session.worker;
        this.topology = session.topology;
        this.time = session.time;
    }

    BrokerDescription connect() throws DriverException, InterruptedException {
        return control.connect(
                session.request.runId(),
                session.timeouts.controlCall(),
                what -> session.listener.waits("the run waits for " + what));
    }

    /**
     * Creates topics and the initial clients; returns the workers' machines, and their shares of producers and
     * consumers.
     */
    Worker.Prepared create() throws DriverException, InterruptedException {
        if (control.connectingResets()) {
            // Without clients, they only connect.
            worker.prepare(new Worker.Prepare(session.description, 0, 0));
        }
        control.createTopics(topology.topics());
        Workload workload = session.workload;
        return worker.prepare(new Worker.Prepare(
                session.description,
                StepPlan.first(workload.producerSteps(), workload.producersPerTopic()),
                workload.consumesOnly()
                        ? 0
                        : StepPlan.first(workload.consumerSteps(), workload.consumerPerSubscription())));
    }

    /** Number of partitions that each node leads, by its address; empty if the system does not report leaders. */
    Map<String, Integer> placement() throws InterruptedException {
        Map<String, Integer> partitionsByNode = new TreeMap<>();
        try {
            for (List<String> ofTopic : control.leaders(topology.topics())) {
                ofTopic.forEach(node -> partitionsByNode.merge(node.isEmpty() ? NO_LEADER : node, 1, Integer::sum));
            }
        } catch (DriverException e) {
            // Worth knowing, but no reason not to run.
            LOG.warn("The leaders of the partitions could not be determined", e);
        }
        return partitionsByNode;
    }

    /**
     * Returns when a probe has arrived from every partition at every subscription, and no other is in flight any more.
     */
    void awaitReady(Duration limit) throws InterruptedException, RunFailedException, DriverException {
        long deadlineNs = time.nowNs() + limit.toNanos();
        Worker.Probed probed = probeUntil(BEFORE_LOAD, deadlineNs);
        if (probed.arrived().cardinality() < topology.probeCount()) {
            throw new RunFailedException(notReady(probed, topology.probeCount(), limit));
        }
        awaitRest(probed.onTheirWay(), deadlineNs);
    }

    /**
     * Returns whether a probe sent now arrives from every partition at every subscription. If so, earlier messages
     * that have not arrived will never arrive; if not, they may still be in the system, for consumers that are cut off
     * from it.
     *
     * @param limit how long to try
     */
    boolean deliversAfterLoad(Duration limit) throws InterruptedException, RunFailedException {
        try {
            Worker.Probed probed = probeUntil(AFTER_LOAD, time.nowNs() + limit.toNanos());
            return probed.arrived().cardinality() >= topology.probeCount();
        } catch (DriverException e) {
            LOG.warn("The message that checks whether the system still delivers could not be sent", e);
            return false;
        }
    }

    /**
     * Sends probes until one has arrived for each partition and subscription, or until the deadline; returns the last
     * reading.
     */
    private Worker.Probed probeUntil(int series, long deadlineNs)
            throws InterruptedException, RunFailedException, DriverException {
        int expected = topology.probeCount();
        Worker.Probe look = new Worker.Probe(series, null);
        Waiting waiting = new Waiting(session);
        while (true) {
            Worker.Probed probed = worker.probe(look);
            if (probed.arrived().cardinality() >= expected) {
                return probed;
            }
            session.observer.throwIfFailed();
            // Before the load, a stop interrupts this thread.
            if (time.nowNs() > deadlineNs || series == AFTER_LOAD && session.stop.requested()) {
                return probed;
            }
            waiting.goesOn(() -> "no message has arrived yet on %d of %d paths from a partition to a subscription%s"
                    .formatted(expected - probed.arrived().cardinality(), expected, lastError(probed)));
            worker.probe(new Worker.Probe(series, probed.arrived()));
            long roundEndNs = time.nowNs() + ROUND_NS;
            while (time.nowNs() < roundEndNs && worker.probe(look).arrived().cardinality() < expected) {
                time.sleep(LOOK_NS);
            }
        }
    }

    /** Waits for probes in flight, which would disturb the load. */
    private void awaitRest(long onTheirWay, long deadlineNs) throws InterruptedException, DriverException {
        long left = onTheirWay;
        long movedAtNs = time.nowNs();
        while (left > 0 && time.nowNs() - movedAtNs < QUIET_NS && time.nowNs() < deadlineNs) {
            time.sleep(LOOK_NS);
            long now = worker.probe(new Worker.Probe(BEFORE_LOAD, null)).onTheirWay();
            movedAtNs = now == left ? movedAtNs : time.nowNs();
            left = now;
        }
    }

    private String notReady(Worker.Probed probed, int expected, Duration limit) {
        BitSet arrived = probed.arrived();
        return "not ready: waited %d s for a message from every partition to every subscription, %d of %d are missing, the first is %s%s"
                .formatted(
                        limit.toSeconds(),
                        expected - arrived.cardinality(),
                        expected,
                        topology.describeProbe(arrived.nextClearBit(0)),
                        lastError(probed));
    }

    private static String lastError(Worker.Probed probed) {
        return probed.error() == null ? "" : "; the last probe failed: " + probed.error();
    }

    /** Deletes the topics, once no client uses them any more. */
    void deleteTopics() throws DriverException, InterruptedException {
        control.deleteTopics(topology.topics());
    }

    /** Closes the coordinator's connection. */
    void close() throws DriverException {
        control.close();
    }
}
