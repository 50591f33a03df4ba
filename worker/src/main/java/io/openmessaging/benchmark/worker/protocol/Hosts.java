package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.resources.HostProbe;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Names of the workers' machines in reports of resource use: one name per machine, however many workers run on it. The
 * coordinator's own machine is {@link HostProbe#NAME}.
 *
 * @param ofWorkers name of each worker's machine, in the order of the workers
 */
public record Hosts(List<String> ofWorkers) {

    /**
     * The machines of the given workers.
     *
     * @param workers all workers, in their order
     * @param coordinator the coordinator's machine
     */
    public static Hosts of(List<WorkerMachine> workers, WorkerHost coordinator) {
        Map<String, List<WorkerMachine>> byHost = new LinkedHashMap<>();
        workers.forEach(worker -> byHost.computeIfAbsent(worker.host().id(), id -> new ArrayList<>())
                .add(worker));
        return new Hosts(workers.stream()
                .map(worker -> worker.host().id().equals(coordinator.id())
                        ? HostProbe.NAME
                        : nameOfHost(byHost.getOrDefault(worker.host().id(), List.of(worker))))
                .toList());
    }

    private static String nameOfHost(List<WorkerMachine> workers) {
        String ofFirst = "host of " + workers.get(0).name();
        return workers.size() == 1 ? ofFirst : ofFirst + " and " + (workers.size() - 1) + " more";
    }
}
