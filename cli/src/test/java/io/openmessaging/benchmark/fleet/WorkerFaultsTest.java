package io.openmessaging.benchmark.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.config.Fault;
import io.openmessaging.benchmark.config.WorkersFile;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.worker.group.Roles;
import io.openmessaging.benchmark.worker.remote.WorkerTimeout;
import io.openmessaging.benchmark.worker.remote.WorkerTimeouts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WorkerFaultsTest {

    private static final int LOST_S = (int) WorkerTimeout.LOST.byDefault().toSeconds();

    private static Fault fault(@Nullable String kill, @Nullable String pause, int seconds) {
        return new Fault(
                Duration.ofSeconds(1),
                kill,
                null,
                pause,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                kill == null ? Duration.ofSeconds(seconds) : null);
    }

    private static Fault kill(String target) {
        return fault(target, null, 0);
    }

    private static Fault pause(String target, int seconds) {
        return fault(null, target, seconds);
    }

    private static FleetRequest fleet(int processes, List<Address> addresses, WorkerTimeouts timeouts) {
        return new FleetRequest(
                addresses, processes, null, false, Roles.MIXED, false, FleetRequest.Waits.with(timeouts));
    }

    private static Optional<String> whyNot(Fault fault, int processes) {
        return WorkerFaults.whyNot(
                fault, List.of(fault), Optional.of(fleet(processes, List.of(), WorkerTimeouts.defaults())));
    }

    @Test
    void workersOfThisMachineAreKilledAndPaused() {
        assertThat(whyNot(kill("worker-2"), 2)).isEmpty();
        assertThat(whyNot(pause("worker-1", LOST_S - 1), 1)).isEmpty();
    }

    @Test
    void othersAreNot() {
        assertThat(WorkerFaults.whyNot(kill("worker-1"), List.of(), Optional.empty()))
                .hasValue("kill worker-1 needs workers that are started for the run (--local-workers)");
        FleetRequest elsewhere =
                fleet(0, List.of(Address.parse("http://w1:8080", WorkersFile.WORKER)), WorkerTimeouts.defaults());
        assertThat(WorkerFaults.whyNot(pause("worker-1", 1), List.of(), Optional.of(elsewhere)))
                .hasValue("pause worker-1 needs workers that are started for the run (--local-workers);"
                        + " the end of one elsewhere always ends the run");
        assertThat(whyNot(kill("worker-3"), 2)).hasValue("there is no worker-3 among 2 (--local-workers)");
    }

    @Test
    void aPauseEndsBeforeTheWorkerIsLost() {
        assertThat(whyNot(pause("worker-1", LOST_S), 2))
                .hasValue("pause worker-1 must take less than " + LOST_S + "s, after which a silent worker is lost"
                        + " (--worker-limit lost)");
        WorkerTimeouts patient = WorkerTimeouts.defaults().with(WorkerTimeout.LOST, Duration.ofSeconds(30));
        Fault longer = pause("worker-1", LOST_S);
        assertThat(WorkerFaults.whyNot(longer, List.of(longer), Optional.of(fleet(2, List.of(), patient))))
                .isEmpty();
    }

    @Test
    void oneIsLeft() {
        List<Fault> both = List.of(kill("worker-1"), kill("worker-2"));
        Optional<FleetRequest> two = Optional.of(fleet(2, List.of(), WorkerTimeouts.defaults()));
        assertThat(WorkerFaults.whyNot(both.get(1), both, two)).hasValue("kill worker-2 leaves no worker: keep one");
        assertThat(WorkerFaults.whyNot(both.get(1), both, Optional.of(fleet(3, List.of(), WorkerTimeouts.defaults()))))
                .isEmpty();
    }

    @Test
    void theShippedWorkloadKeepsToTheDefaults() throws ConfigException {
        Path home = Path.of("..").toAbsolutePath().normalize();
        WorkloadFile file = WorkloadFile.read(home.resolve("workloads/faults/worker-killed.yaml"), home);
        List<Fault> faults = file.workload().faultsInOrder();
        assertThat(faults).isNotEmpty();
        assertThat(faults)
                .allSatisfy(fault -> assertThat(WorkerFaults.whyNot(
                                fault, faults, Optional.of(fleet(2, List.of(), WorkerTimeouts.defaults()))))
                        .isEmpty());
    }

    @Test
    void thePagesNameTheDefault() throws IOException {
        Path docs = Path.of("..", "docs");
        String limit = LOST_S + " s";
        assertThat(Files.readString(docs.resolve("DISTRIBUTED.md"))).contains("and lost after " + limit);
        assertThat(Files.readString(docs.resolve("FINDINGS.md"))).contains("was silent for " + limit);
        assertThat(Files.readString(docs.resolve("WORKLOADS.md")))
                .contains("after which a silent worker is lost (" + limit + ",");
    }
}
