package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.worker.Topology;
import io.openmessaging.benchmark.worker.Worker;
import io.openmessaging.benchmark.worker.WorkerPlan;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;

/** Creates what a run needs and finds out that all of it works, before any load. */
final class Provisioning {

    /** How long a round of probes may take to arrive before another is sent. */
    private static final long ROUND_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Probes on their way are taken for lost once none has come for so long: some were sent before a consumer could get them. */
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private final Worker worker;
    private final WorkerPlan plan;
    private final Topology topology;
    private final Time time;

    Provisioning(Worker worker, WorkerPlan plan, Time time) {
        this.worker = worker;
        this.plan = plan;
        this.topology = plan.topology();
        this.time = time;
    }

    BrokerDescription connect() throws DriverException, InterruptedException {
        return worker.connect(plan);
    }

    /**
     * Creates topics and the clients that a run begins with.
     *
     * @param producersPerTopic of all those that there may be
     * @param consumersPerSubscription of all those that there may be
     */
    void create(int producersPerTopic, int consumersPerSubscription) throws DriverException, InterruptedException {
        worker.createTopics(topology.topics());
        if (topology.hasConsumers()) {
            worker.createConsumers(topology.consumers(0, consumersPerSubscription));
        }
        worker.createProducers(topology.producers(0, producersPerTopic));
    }

    /** Returns when a probe has come from every partition to every subscription, and no other is on its way any more. */
    void awaitReady(Duration limit, Observer observer) throws InterruptedException, RunFailedException {
        int expected = topology.probeCount();
        long deadlineNs = time.nowNs() + limit.toNanos();
        while (true) {
            BitSet arrived = worker.arrivedProbes();
            if (arrived.cardinality() >= expected) {
                awaitRest(deadlineNs);
                return;
            }
            observer.throwIfFailed();
            if (time.nowNs() > deadlineNs) {
                throw new RunFailedException(
                        notReady(arrived, expected, limit), worker.probeError().orElse(null));
            }
            worker.sendProbes(arrived);
            long roundEndNs = time.nowNs() + ROUND_NS;
            while (time.nowNs() < roundEndNs && worker.arrivedProbes().cardinality() < expected) {
                time.sleep(LOOK_NS);
            }
        }
    }

    /** What is on its way would be in the way of the load. */
    private void awaitRest(long deadlineNs) throws InterruptedException {
        long left = worker.probesOnTheirWay();
        long movedAtNs = time.nowNs();
        while (left > 0 && time.nowNs() - movedAtNs < QUIET_NS && time.nowNs() < deadlineNs) {
            time.sleep(LOOK_NS);
            long now = worker.probesOnTheirWay();
            movedAtNs = now == left ? movedAtNs : time.nowNs();
            left = now;
        }
    }

    private String notReady(BitSet arrived, int expected, Duration limit) {
        String error = worker.probeError()
                .map(e -> "; the last probe failed: " + Observer.describe(e))
                .orElse("");
        return "not ready: waited %d s for a message from every partition to every subscription, %d of %d are missing, the first is %s%s"
                .formatted(
                        limit.toSeconds(),
                        expected - arrived.cardinality(),
                        expected,
                        topology.describeProbe(arrived.nextClearBit(0)),
                        error);
    }
}
