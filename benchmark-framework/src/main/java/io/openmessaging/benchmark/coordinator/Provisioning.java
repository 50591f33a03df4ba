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

    /** Returns when a probe has come from every partition to every subscription. */
    void awaitReady(Duration limit, Observer observer) throws InterruptedException, RunFailedException {
        int expected = topology.probeCount();
        long deadlineNs = time.nowNs() + limit.toNanos();
        while (true) {
            BitSet arrived = worker.arrivedProbes();
            if (arrived.cardinality() >= expected) {
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
