package io.openmessaging.benchmark.broker.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Jvm;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Location;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Security;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Version;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.limits.ControlGroupCounters;
import io.openmessaging.benchmark.limits.LimitGroup;
import io.openmessaging.benchmark.limits.LimitMechanisms;
import io.openmessaging.benchmark.limits.Mechanism;
import io.openmessaging.benchmark.limits.ProcessLimit;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.StartsProcesses;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests real processes with the limits that this machine can enforce; skipped where it can enforce none. */
@StartsProcesses
class LimitedNodesTest {

    private static final Set<Mechanism> GROUPS = Set.of(Mechanism.CGROUP_V1, Mechanism.CGROUP_V2);

    /** Two processes that are always busy: without a limit, they use two processors. */
    private static final String BURN = "touch ready; ( while :; do :; done ) & while :; do :; done";

    /** A process that allocates more and more memory. */
    private static final String GROW = "x=0123456789abcdef; touch ready; while :; do x=$x$x; done";

    @TempDir
    Path temp;

    @AfterEach
    void endWhatIsLeft() {
        Processes.mentioning(folder()).forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void aNodeAndItsChildrenTogetherUseNoMoreThanTheirShare() throws Exception {
        Confinement confinement = confinement(new ProcessLimit(0.2, null), LimitMechanisms.ofThisMachine());
        assumeThat(GROUPS)
                .as(
                        "a mechanism for a part of a processor: %s",
                        confinement.enforcement().describe())
                .contains(confinement.enforcement().cpus());
        List<Path> folders;
        try (RunningBroker running = new NativeTestBroker(BURN, Duration.ZERO).start(options(confinement))) {
            LimitGroup group = running.limitGroups().get(0);
            folders = group.folders();
            ProcessHandle node = ProcessHandle.of(running.nodes().get(0).pid()).orElseThrow();
            Patience.until("the child of the node", () -> node.children().count() == 1);
            long child = node.children().findFirst().orElseThrow().pid();
            for (Path folder : folders) {
                assertThat(folder.resolve("cgroup.procs"))
                        .content()
                        .contains(Long.toString(node.pid()), Long.toString(child));
            }
            Patience.until("ten slices in which they had to wait", () -> throttled(group) >= 10);
        }
        assertThat(folders).isNotEmpty().noneMatch(Files::exists);
    }

    private static long throttled(LimitGroup group) {
        Long slices = group.counters().throttledSlices();
        return slices == null ? 0 : slices;
    }

    @Test
    void aNodeThatAsksForMoreMemoryThanItsLimitIsKilledAndItsEndSaysWhy() throws Exception {
        Confinement confinement =
                confinement(new ProcessLimit(null, ProcessLimit.memoryBytes("32m")), LimitMechanisms.ofThisMachine());
        assumeThat(GROUPS)
                .as("a mechanism for memory: %s", confinement.enforcement().describe())
                .contains(confinement.enforcement().memory());
        NativeTestBroker broker = new NativeTestBroker(GROW, Duration.ZERO);
        try (RunningBroker running = broker.start(options(confinement))) {
            Patience.await("the end of the node").until(() -> running.failure().isPresent());
            assertThat(running.failure().orElseThrow())
                    .contains(", killed by the kernel at its limit of 32m of memory; its log says:");
            ControlGroupCounters counters = running.limitGroups().get(0).counters();
            assertThat(counters.outOfMemoryKills()).isPositive();
        }
    }

    @Test
    void withoutGroupsANodeKeepsToOneProcessor() throws Exception {
        Confinement confinement = confinement(new ProcessLimit(1.0, null), LimitMechanisms.withoutGroups());
        assumeThat(confinement.enforcement().cpus())
                .as("a mechanism for whole processors")
                .isEqualTo(Mechanism.AFFINITY);
        try (RunningBroker running = new NativeTestBroker(BURN, Duration.ZERO).start(options(confinement))) {
            Path status = Path.of("/proc", Long.toString(running.nodes().get(0).pid()), "status");
            assertThat(Files.readAllLines(status)).anyMatch(line -> line.matches("Cpus_allowed_list:\\s*[0-9]+"));
            assertThat(running.limitGroups().get(0).folders()).isEmpty();
        }
    }

    @Test
    void aKilledStarterLeavesNoGroupBehind() throws Exception {
        Confinement confinement =
                confinement(new ProcessLimit(1.0, ProcessLimit.memoryBytes("256m")), LimitMechanisms.ofThisMachine());
        assumeThat(GROUPS)
                .as("a mechanism: %s", confinement.enforcement().describe())
                .contains(confinement.enforcement().cpus());
        Process starter = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LimitedTestStarter.class.getName(),
                        folder().toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<Path> groups = new ArrayList<>();
        for (String line = starter.inputReader().readLine();
                line != null && !line.isEmpty();
                line = starter.inputReader().readLine()) {
            groups.add(Path.of(line));
        }
        assertThat(groups).isNotEmpty().allMatch(Files::exists);

        starter.destroyForcibly().waitFor();

        Patience.await("removal of the groups").until(() -> groups.stream().noneMatch(Files::exists));
        Patience.await("removal of " + folder()).until(() -> !Files.exists(folder()));
        Patience.await("end of what watches the groups")
                .until(() -> Processes.mentioning(groups.get(0)).isEmpty());
    }

    @Test
    void aHeapLargerThanTheMemoryIsRefused() {
        Confinement confinement =
                confinement(new ProcessLimit(null, ProcessLimit.memoryBytes("1g")), LimitMechanisms.withoutGroups());
        assertThatThrownBy(() -> options("2g", confinement))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("heap must not be larger than the memory limit, 1g, got 2g");
        assertThat(options("768m", confinement).heapOr("512m")).isEqualTo("768m");
        assertThat(options(null, confinement).heapOr("512m")).isEqualTo("512m");
        assertThat(options(null, confinement).heapOr("2g")).isEqualTo("512m");
        assertThat(options(null, confinement).heapOr("512m", 4)).isEqualTo("256m");
    }

    private static Confinement confinement(ProcessLimit limit, LimitMechanisms mechanisms) {
        return Confinement.ofBroker(limit, Confinement.ProcessType.NATIVE, mechanisms);
    }

    private LocalBrokerOptions options(Confinement confinement) {
        return options(null, confinement);
    }

    private LocalBrokerOptions options(@Nullable String heap, Confinement confinement) {
        return new LocalBrokerOptions(
                Version.CURRENT,
                1,
                new Jvm(heap, false),
                Map.of(),
                confinement,
                Security.NONE,
                new Location(temp, folder()),
                text -> {});
    }

    private Path folder() {
        return temp.resolve("broker");
    }
}
