package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.judge.worker.WorkerSeen;
import io.openmessaging.benchmark.resources.HostProbe;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.worker.Load;
import io.openmessaging.benchmark.worker.protocol.Ceilings;
import io.openmessaging.benchmark.worker.protocol.Hosts;
import io.openmessaging.benchmark.worker.protocol.Topology;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.WorkerHost;
import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The equipment of each worker of a run: threads, ceiling and host. Pure. */
final class WorkerEquipment {

    private final Worker.Prepared prepared;
    private final WorkerHost here;
    private final Optional<Ceilings> ofThisProcess;
    private final RunResult.Broker broker;

    /**
     * Creates the equipment of some workers.
     *
     * @param prepared what the workers reported
     * @param here location of this process
     * @param ofThisProcess ceilings of this process; empty if unknown, and if remote workers do the work
     * @param broker broker under load
     */
    WorkerEquipment(
            Worker.Prepared prepared, WorkerHost here, Optional<Ceilings> ofThisProcess, RunResult.Broker broker) {
        this.prepared = prepared;
        this.here = here;
        this.ofThisProcess = ofThisProcess;
        this.broker = broker;
    }

    /** Returns one entry for each worker, in their order. */
    List<WorkerSeen.Equipment> of(Topology topology) {
        List<String> hosts = Hosts.of(prepared.machines(), here).ofWorkers();
        return IntStream.range(0, hosts.size())
                .mapToObj(worker -> {
                    int threads = sendingThreads(worker, topology);
                    return new WorkerSeen.Equipment(
                            threads,
                            ceiling(worker, threads),
                            hosts.get(worker),
                            besideBroker(worker, hosts.get(worker)));
                })
                .toList();
    }

    /** Number of sending threads of a worker once all producers exist. */
    private int sendingThreads(int worker, Topology topology) {
        int producers = prepared.placements().get(worker).producersHere(topology.producerCount());
        return Load.threads(producers, prepared.machines().get(worker).processors());
    }

    private @Nullable Double ceiling(int worker, int threads) {
        WorkerMachine machine = prepared.machines().get(worker);
        return Optional.ofNullable(machine.ceilings())
                .or(() -> ofThisProcess)
                .map(known -> known.msgPerSec(threads))
                .orElse(null);
    }

    private boolean besideBroker(int worker, String host) {
        return host.equals(HostProbe.NAME)
                ? broker.sharesMachine()
                : broker.isOn(prepared.machines().get(worker).host());
    }
}
