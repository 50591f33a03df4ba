package io.openmessaging.benchmark.worker.group;

import io.openmessaging.benchmark.resources.HostProbe;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.resources.ResourceUse;
import io.openmessaging.benchmark.worker.protocol.Hosts;
import io.openmessaging.benchmark.worker.protocol.WorkerHost;
import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Merges the resource use of workers and their machines into one period. The entries and their order are always the
 * same; those of a lost worker are empty. The coordinator's own machine has no entry because the coordinator monitors
 * it. Pure.
 */
final class Uses {

    private final List<WorkerMachine> machines;
    private final Hosts hosts;

    /**
     * Creates the entries of the workers.
     *
     * @param machines in the order of the workers
     * @param coordinator machine of the coordinator
     */
    Uses(List<WorkerMachine> machines, WorkerHost coordinator) {
        this.machines = List.copyOf(machines);
        this.hosts = Hosts.of(machines, coordinator);
    }

    /**
     * Merges a period.
     *
     * @param told resource use that each worker reported for itself and its machine, by its index; lost workers are
     *     absent
     */
    ResourcePeriod together(Map<Integer, ResourcePeriod> told) {
        List<ResourceUse> processes = new ArrayList<>();
        Map<String, ResourceUse> ofHosts = new LinkedHashMap<>();
        for (int index = 0; index < machines.size(); index++) {
            ResourcePeriod own = told.getOrDefault(index, ResourcePeriod.NONE);
            processes.add(entry(own, Role.HARNESS, machines.get(index).name()));
            String host = hosts.ofWorkers().get(index);
            // If a machine has several workers, the first that reports it counts.
            if (!host.equals(HostProbe.NAME)
                    && ofHosts.getOrDefault(host, ResourceUse.nothing(host, Role.HOST))
                            .figures()
                            .isEmpty()) {
                ofHosts.put(host, entry(own, Role.HOST, host));
            }
        }
        processes.addAll(ofHosts.values());
        return new ResourcePeriod(processes);
    }

    private static ResourceUse entry(ResourcePeriod own, Role role, String name) {
        Optional<ResourceUse> use =
                own.uses().stream().filter(one -> one.role() == role).findFirst();
        return use.map(found -> found.as(name, role)).orElseGet(() -> ResourceUse.nothing(name, role));
    }
}
