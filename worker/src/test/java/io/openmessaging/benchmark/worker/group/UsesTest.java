package io.openmessaging.benchmark.worker.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.FigureUse;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.resources.ResourceUse;
import io.openmessaging.benchmark.worker.protocol.WorkerHost;
import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Figures that workers report of themselves become the entries of a period. */
class UsesTest {

    private static WorkerHost workerHost(String id) {
        return new WorkerHost(id, id, List.of(), "", 0);
    }

    /** Creates a worker for each letter, on the machine of that name. */
    private static Uses on(String... ids) {
        List<WorkerMachine> machines = new ArrayList<>();
        for (String id : ids) {
            String name = "worker " + (machines.size() + 1) + " (" + id + ")";
            machines.add(
                    new WorkerMachine(name, workerHost(id), new WorkerMachine.Jvm("", List.of(), 0), 1, null, null));
        }
        return new Uses(machines, workerHost("a"));
    }

    private static Map<Figure, FigureUse> one(Figure figure, double value) {
        return Map.of(figure, new FigureUse(1, value, value));
    }

    /** Returns figures as a process reports them. */
    private static ResourcePeriod told(double cpu, double idle) {
        return new ResourcePeriod(List.of(
                new ResourceUse("harness", Role.HARNESS, one(Figure.CPU_CORE_PERCENT, cpu)),
                new ResourceUse("host", Role.HOST, one(Figure.HOST_IDLE_PERCENT, idle))));
    }

    private static ResourceUse worker(String name, double cpu) {
        return new ResourceUse(name, Role.HARNESS, one(Figure.CPU_CORE_PERCENT, cpu));
    }

    private static ResourceUse host(String name, double idle) {
        return new ResourceUse(name, Role.HOST, one(Figure.HOST_IDLE_PERCENT, idle));
    }

    @Test
    void eachWorkerAndEachMachineIsAnEntryByItsName() {
        ResourcePeriod all = on("b", "c").together(Map.of(0, told(10, 80), 1, told(20, 90)));
        assertThat(all.uses())
                .containsExactly(
                        worker("worker 1 (b)", 10),
                        worker("worker 2 (c)", 20),
                        host("host of worker 1 (b)", 80),
                        host("host of worker 2 (c)", 90));
    }

    @Test
    void aMachineOfSeveralWorkersIsOneEntry() {
        ResourcePeriod all =
                on("b", "c", "b", "b").together(Map.of(0, told(1, 50), 1, told(2, 60), 2, told(3, 51), 3, told(4, 52)));
        assertThat(all.uses().subList(4, all.uses().size()))
                .containsExactly(host("host of worker 1 (b) and 2 more", 50), host("host of worker 2 (c)", 60));
    }

    @Test
    void theCoordinatorsMachineIsWatchedByTheCoordinator() {
        ResourcePeriod all = on("a", "b", "a").together(Map.of(0, told(1, 50), 1, told(2, 60), 2, told(3, 51)));
        assertThat(all.uses())
                .containsExactly(
                        worker("worker 1 (a)", 1),
                        worker("worker 2 (b)", 2),
                        worker("worker 3 (a)", 3),
                        host("host of worker 2 (b)", 60));
    }

    @Test
    void theEntriesOfALostWorkerEnd() {
        Uses uses = on("b", "b", "c");
        ResourcePeriod before = uses.together(Map.of(0, told(1, 50), 1, told(2, 50), 2, told(3, 60)));
        ResourcePeriod after = uses.together(Map.of(1, told(4, 70)));
        assertThat(after.uses())
                .containsExactly(
                        ResourceUse.nothing("worker 1 (b)", Role.HARNESS),
                        worker("worker 2 (b)", 4),
                        ResourceUse.nothing("worker 3 (c)", Role.HARNESS),
                        // The other worker of this machine is still there.
                        host("host of worker 1 (b) and 1 more", 70),
                        ResourceUse.nothing("host of worker 3 (c)", Role.HOST));
        assertThat(before.followedBy(after).uses())
                .extracting(ResourceUse::name)
                .isEqualTo(before.uses().stream().map(ResourceUse::name).toList());
        assertThat(before.followedBy(after).uses().get(2)).isEqualTo(worker("worker 3 (c)", 3));
    }
}
