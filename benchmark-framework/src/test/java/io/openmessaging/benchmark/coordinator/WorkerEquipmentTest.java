package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.judge.worker.WorkerSeen.Equipment;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.worker.protocol.Ceilings;
import io.openmessaging.benchmark.worker.protocol.Placement;
import io.openmessaging.benchmark.worker.protocol.Topology;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.WorkerHost;
import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WorkerEquipmentTest {

    private static final WorkerHost HERE = new WorkerHost("here", "coordinator", List.of("10.0.0.9"), "", 0);
    private static final WorkerHost W1 = new WorkerHost("1", "w1", List.of("10.0.0.1"), "", 0);
    private static final WorkerHost W2 = new WorkerHost("2", "w2", List.of("10.0.0.2"), "", 0);

    /** A topology with three producers. */
    private static final Topology TOPOLOGY = new Topology("run1", 3, 1, 1, 1, 1);

    private static WorkerMachine machine(WorkerHost host, @Nullable Ceilings ceilings) {
        return new WorkerMachine(
                "worker (" + host.name() + ")", host, new WorkerMachine.Jvm("", List.of(), 0), 4, ceilings, null);
    }

    private static Worker.Prepared prepared(WorkerMachine... machines) {
        return new Worker.Prepared(List.of(machines), Placement.mixed(machines.length, 3));
    }

    private static RunResult.Broker brokerAt(String... nodes) {
        return new RunResult.Broker(
                new BrokerDescription("Kafka", "4", List.of(nodes), Map.of()), false, Map.of(), Map.of());
    }

    @Test
    void eachWorkerHasItsOwnThreadsAndItsOwnCeiling() {
        Worker.Prepared two = prepared(machine(W1, new Ceilings(1000, 4, 4)), machine(W2, null));
        assertThat(new WorkerEquipment(two, HERE, Optional.empty(), brokerAt("kafka:9092")).of(TOPOLOGY))
                .containsExactly(
                        new Equipment(2, 2000.0, "host of worker (w1)", false),
                        new Equipment(1, null, "host of worker (w2)", false));
    }

    @Test
    void aBrokerMayBeOnTheMachineOfAWorker() {
        Worker.Prepared two = prepared(machine(W1, null), machine(W2, null));
        for (String address : List.of("w2:9092", "10.0.0.2:9092")) {
            assertThat(new WorkerEquipment(two, HERE, Optional.empty(), brokerAt(address)).of(TOPOLOGY))
                    .extracting(Equipment::besideBroker)
                    .as(address)
                    .containsExactly(false, true);
        }
    }

    @Test
    void aWorkerOnThisMachineIsWhereABrokerOnLoopbackIs() {
        Worker.Prepared both = prepared(machine(HERE, null), machine(W1, null));
        assertThat(new WorkerEquipment(both, HERE, Optional.empty(), brokerAt("localhost:9092")).of(TOPOLOGY))
                .containsExactly(
                        new Equipment(2, null, "host", true), new Equipment(1, null, "host of worker (w1)", false));
    }

    @Test
    void theWorkerInThisProcessHasTheCeilingOfThisProcess() {
        Worker.Prepared alone = prepared(machine(HERE, null));
        Optional<Ceilings> known = Optional.of(new Ceilings(1000, 2, 1.5));
        assertThat(new WorkerEquipment(alone, HERE, known, brokerAt("kafka:9092")).of(TOPOLOGY))
                .containsExactly(new Equipment(3, 1500.0, "host", false));
    }
}
