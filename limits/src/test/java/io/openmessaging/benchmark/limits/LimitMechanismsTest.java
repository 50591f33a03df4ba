package io.openmessaging.benchmark.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.limits.Confinement.ProcessType;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.StartsProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mechanisms that are chosen and files that are written for each way in which a machine may offer control groups. */
class LimitMechanismsTest {

    private static final ProcessLimit BOTH = new ProcessLimit(0.5, ProcessLimit.memoryBytes("512m"));
    private static final Optional<Path> TASKSET = Optional.of(Path.of("/usr/bin/taskset"));
    private static final long THIS_PROCESS = ProcessHandle.current().pid();

    @TempDir
    Path temp;

    private LimitMechanisms mechanisms(FakeCgroups cgroups) throws IOException {
        return new LimitMechanisms(CgroupTree.read(cgroups.proc(), cgroups), cgroups.proc(), false, TASKSET);
    }

    @Test
    void version1HasAGroupForEachController() throws IOException {
        FakeCgroups cgroups = new FakeCgroups(temp).v1("cpu", "/").v1("memory", "/some/session");
        Confinement confinement = Confinement.ofBroker(BOTH, ProcessType.NATIVE, mechanisms(cgroups));
        assertThat(confinement.enforcement())
                .isEqualTo(new Enforcement(BOTH, Mechanism.CGROUP_V1, Mechanism.CGROUP_V1, List.of()));
        assertThat(confinement.enforcement().describe())
                .isEqualTo("0.5 processors (cgroup v1), 512m of memory (cgroup v1)");

        try (LimitGroup group = confinement.open("redis-1").orElseThrow()) {
            assertThat(group.folders()).hasSize(2);
            Path cpu = group.folders().get(0);
            Path memory = group.folders().get(1);
            assertThat(cpu.getParent()).isEqualTo(temp.resolve("cpu"));
            assertThat(cpu.getFileName().toString()).startsWith("benchmark-redis-1-" + THIS_PROCESS);
            assertThat(memory.getParent()).isEqualTo(temp.resolve("memory/some/session"));
            assertThat(cpu.resolve("cpu.cfs_period_us")).hasContent("100000");
            assertThat(cpu.resolve("cpu.cfs_quota_us")).hasContent("50000");
            assertThat(cpu.resolve("cpu.shares")).hasContent("1024");
            assertThat(memory.resolve("memory.limit_in_bytes")).hasContent("536870912");
            assertThat(memory.resolve("memory.memsw.limit_in_bytes")).hasContent("536870912");
            List<String> command = group.command(List.of("redis-server", "--port"));
            assertThat(command)
                    .startsWith("/bin/sh", "-c")
                    .containsSubsequence("2", cpu.toString(), memory.toString(), "redis-server", "--port");
        }
        assertNoGroupIsLeft(cgroups);
    }

    @Test
    void version1CountsWhatTheGroupsCount() throws IOException {
        FakeCgroups cgroups = new FakeCgroups(temp).v1("cpu", "/").v1("memory", "/");
        Confinement confinement = Confinement.ofBroker(BOTH, ProcessType.NATIVE, mechanisms(cgroups));
        try (LimitGroup group = confinement.open("redis-1").orElseThrow()) {
            Path memory = group.folders().get(1);
            Files.writeString(group.folders().get(0).resolve("cpu.stat"), "nr_periods 40\nnr_throttled 17\n");
            Files.writeString(memory.resolve("memory.usage_in_bytes"), "1000\n");
            Files.writeString(
                    memory.resolve("memory.stat"),
                    "cache 600\nactive_file 1\ninactive_file 2\ntotal_inactive_file 500\ntotal_active_file 100\n");
            Files.writeString(memory.resolve("memory.failcnt"), "9\n");
            Files.writeString(memory.resolve("memory.memsw.failcnt"), "3\n");
            Files.writeString(memory.resolve("memory.oom_control"), "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n");
            assertThat(group.counters()).isEqualTo(new ControlGroupCounters(17L, 1000L, 400L, 12L, 3L));
            assertThat(group.killedForMemory()).isTrue();
        }
    }

    @Test
    void version2IsOneGroupBesideThatOfThisProcessSinceThatOneHoldsProcesses() throws IOException {
        FakeCgroups cgroups = new FakeCgroups(temp).v2("/user/app/terminal").handsOn("/user/app", "cpu io memory");
        Confinement confinement = Confinement.ofBroker(BOTH, ProcessType.NATIVE, mechanisms(cgroups));
        assertThat(confinement.enforcement())
                .isEqualTo(new Enforcement(BOTH, Mechanism.CGROUP_V2, Mechanism.CGROUP_V2, List.of()));

        try (LimitGroup group = confinement.open("redis-1").orElseThrow()) {
            assertThat(group.folders()).hasSize(1);
            Path folder = group.folders().get(0);
            assertThat(folder.getParent()).isEqualTo(cgroups.v2Group("/user/app"));
            assertThat(folder.resolve("cpu.max")).hasContent("50000 100000");
            assertThat(folder.resolve("cpu.weight")).isEmptyFile();
            assertThat(folder.resolve("memory.max")).hasContent("536870912");
            assertThat(folder.resolve("memory.swap.max")).hasContent("0");

            Files.writeString(folder.resolve("cpu.stat"), "usage_usec 7\nnr_periods 4\nnr_throttled 2\n");
            Files.writeString(folder.resolve("memory.current"), "1000\n");
            Files.writeString(folder.resolve("memory.stat"), "anon 300\ninactive_file 500\nactive_file 100\n");
            Files.writeString(folder.resolve("memory.events"), "low 0\nhigh 0\nmax 5\noom 0\noom_kill 0\n");
            assertThat(group.counters()).isEqualTo(new ControlGroupCounters(2L, 1000L, 400L, 5L, 0L));
            assertThat(group.killedForMemory()).isFalse();
        }
        assertNoGroupIsLeft(cgroups);
    }

    @Test
    void version2ComesBeforeVersion1() throws IOException {
        FakeCgroups cgroups = new FakeCgroups(temp)
                .v1("cpu", "/")
                .v1("memory", "/")
                .v2("/app/terminal")
                .handsOn("/app", "cpu memory");
        assertThat(mechanisms(cgroups).forCpus()).contains(Mechanism.CGROUP_V2);
        assertThat(mechanisms(cgroups).forMemory()).contains(Mechanism.CGROUP_V2);
    }

    @Test
    void version2TheTopmostGroupIsMadeToHandOnItsControllers() throws IOException {
        FakeCgroups cgroups = new FakeCgroups(temp).v2("/app");
        Path control = cgroups.v2Group("/app").resolve("cgroup.subtree_control");
        assertThat(mechanisms(cgroups).forCpus()).contains(Mechanism.AFFINITY);
        assertThat(Files.readString(control)).isBlank();

        FakeCgroups top = new FakeCgroups(Files.createDirectory(temp.resolve("top"))) {
            @Override
            public void write(Path file, String text) throws IOException {
                // This is the only group that can hand on controllers despite its processes.
                Path topmost = v2Group("/cgroup.subtree_control");
                if (file.equals(topmost)) {
                    Files.writeString(file, text.replace("+", ""));
                } else {
                    super.write(file, text);
                }
            }
        };
        top.v2("/");
        assertThat(mechanisms(top).forCpus()).contains(Mechanism.CGROUP_V2);
        assertThat(mechanisms(top).forMemory()).contains(Mechanism.CGROUP_V2);
    }

    @Test
    void version2LeavesNoLimitBehindThatSomebodyElseHasSet() throws IOException {
        FakeCgroups cgroups = new FakeCgroups(temp)
                .v2("/app/terminal")
                .handsOn("/app", "cpu memory")
                .limited("/app/terminal", "memory.max", "1073741824");
        LimitMechanisms mechanisms = mechanisms(cgroups);
        assertThat(mechanisms.forMemory()).isEmpty();
        assertThat(mechanisms.forCpus()).contains(Mechanism.AFFINITY);

        cgroups.limited("/app/terminal", "memory.max", "max").limited("/app/terminal", "cpu.max", "max 100000");
        assertThat(mechanisms(cgroups).forMemory()).contains(Mechanism.CGROUP_V2);
    }

    @Test
    void eachResourceIsLimitedByWhatThereIsForIt() throws IOException {
        FakeCgroups cgroups = new FakeCgroups(temp).v2("/app/terminal").handsOn("/app", "memory pids");
        Confinement confinement = Confinement.ofBroker(BOTH, ProcessType.NATIVE, mechanisms(cgroups));
        assertThat(confinement.enforcement().cpus()).isEqualTo(Mechanism.AFFINITY);
        assertThat(confinement.enforcement().memory()).isEqualTo(Mechanism.CGROUP_V2);
        assertThat(confinement.enforcement().notEnforced())
                .singleElement()
                .asString()
                .contains("rounded up to 1");
        try (LimitGroup group = confinement.open("redis-1").orElseThrow()) {
            assertThat(group.folders()).hasSize(1);
            assertThat(group.command(List.of("redis-server")))
                    .endsWith("/usr/bin/taskset", "--cpu-list", "7", "redis-server");
        }
    }

    @Test
    void groupsThatCannotBeMadeAreReplacedByWholeProcessorsAndTheHeap() throws IOException {
        FakeCgroups cgroups = new FakeCgroups(temp)
                .v1("cpu", "/")
                .v1("memory", "/")
                .readOnly("cpu")
                .readOnly("memory");
        LimitMechanisms mechanisms = mechanisms(cgroups);
        Confinement jvm = Confinement.ofBroker(new ProcessLimit(1.5, 1L << 30), ProcessType.JVM, mechanisms);
        assertThat(jvm.enforcement().cpus()).isEqualTo(Mechanism.AFFINITY);
        assertThat(jvm.enforcement().memory()).isEqualTo(Mechanism.HEAP);
        assertThat(jvm.enforcement().describe())
                .startsWith(
                        "1.5 processors (processor affinity), 1g of memory (heap); 1.5 processors are rounded up to 2,"
                                + " since no control group (cgroup) can be created here")
                .contains("Read-only file system", "only the heap is limited");
        try (LimitGroup first = jvm.open("kafka-1").orElseThrow();
                LimitGroup second = jvm.open("kafka-2").orElseThrow()) {
            assertThat(first.command(List.of("java"))).containsExactly("/usr/bin/taskset", "--cpu-list", "7,2", "java");
            assertThat(second.command(List.of("java")))
                    .containsExactly("/usr/bin/taskset", "--cpu-list", "1,0", "java");
            assertThat(first.counters()).isEqualTo(ControlGroupCounters.NONE);
        }

        Confinement program = Confinement.ofBroker(new ProcessLimit(null, 1L << 30), ProcessType.NATIVE, mechanisms);
        assertThat(program.enforcement().memory()).isNull();
        assertThat(program.enforcement().describe()).startsWith("1g of memory (not enforced); memory is not limited");
        assertThat(program.enforcement().kept()).isEqualTo(ProcessLimit.NONE);
        assertThat(program.open("redis-1")).isEmpty();
    }

    @Test
    void withoutGroupsAndWithoutTasksetNothingIsLimited() throws IOException {
        FakeCgroups cgroups = new FakeCgroups(temp);
        LimitMechanisms none =
                new LimitMechanisms(CgroupTree.read(cgroups.proc(), cgroups), cgroups.proc(), false, Optional.empty());
        Confinement confinement = Confinement.ofBroker(BOTH, ProcessType.NATIVE, none);
        assertThat(confinement.enforcement().cpus()).isNull();
        assertThat(confinement.enforcement().memory()).isNull();
        assertThat(confinement.enforcement().notEnforced()).hasSize(2);
        assertThat(confinement.open("redis-1")).isEmpty();
    }

    @Test
    void aContainerIsLimitedByItsEngine() throws IOException {
        FakeCgroups cgroups = new FakeCgroups(temp);
        Confinement confinement = Confinement.ofBroker(BOTH, ProcessType.CONTAINER, mechanisms(cgroups));
        assertThat(confinement.enforcement().describe())
                .isEqualTo("0.5 processors (container), 512m of memory (container)");
        assertThat(confinement.open("redpanda-1")).isEmpty();
    }

    @Test
    void moreProcessorsThanThereAreIsWorthANote() throws IOException {
        FakeCgroups cgroups = new FakeCgroups(temp).v1("cpu", "/");
        assertThat(Confinement.ofBroker(new ProcessLimit(8.0, null), ProcessType.NATIVE, mechanisms(cgroups))
                        .enforcement()
                        .notEnforced())
                .containsExactly("8 processors are more than the 4 that are available");
    }

    @ParameterizedTest
    @CsvSource({"0.5, 1024", "1, 1024", "1.5, 2048", "3, 3072", "100, 4096"})
    void aGroupCountsAsOneThreadForEachProcessorThatItMayUse(double cpus, String shares) throws IOException {
        FakeCgroups cgroups = new FakeCgroups(temp).v1("cpu", "/");
        Confinement confinement =
                Confinement.ofBroker(new ProcessLimit(cpus, null), ProcessType.NATIVE, mechanisms(cgroups));
        try (LimitGroup group = confinement.open("redis-1").orElseThrow()) {
            assertThat(group.folders().get(0).resolve("cpu.shares")).hasContent(shares);
        }
    }

    @Test
    void thisProcessEntersAndLeaves() throws IOException {
        FakeCgroups cgroups = new FakeCgroups(temp).v1("cpu", "/").v1("memory", "/session");
        Confinement confinement = Confinement.ofThisProcess(BOTH, mechanisms(cgroups), 256L << 20);
        assertThat(confinement.enforcement().memory()).isEqualTo(Mechanism.CGROUP_V1);
        try (LimitGroup group = confinement.open("clients").orElseThrow()) {
            group.enter(THIS_PROCESS);
            for (Path folder : group.folders()) {
                assertThat(folder.resolve("cgroup.procs")).hasContent(Long.toString(THIS_PROCESS));
            }
            group.leave(THIS_PROCESS);
            for (Path folder : group.folders()) {
                assertThat(folder.resolve("cgroup.procs")).isEmptyFile();
            }
            assertThat(temp.resolve("memory/session/cgroup.procs")).hasContent(Long.toString(THIS_PROCESS));
        }
        assertNoGroupIsLeft(cgroups);
    }

    @Test
    void aHeapThatDoesNotFitIsNotSqueezedIntoAGroup() throws IOException {
        FakeCgroups cgroups = new FakeCgroups(temp).v1("cpu", "/").v1("memory", "/");
        Enforcement enforcement =
                Confinement.ofThisProcess(BOTH, mechanisms(cgroups), 1L << 30).enforcement();
        assertThat(enforcement.cpus()).isEqualTo(Mechanism.CGROUP_V1);
        assertThat(enforcement.memory()).isNull();
        assertThat(enforcement.notEnforced())
                .containsExactly("memory is not limited, since this process may use a heap of 1g, more than half the"
                        + " limit: start it with HEAP_OPTS=-Xmx256m");
    }

    @Test
    @StartsProcesses
    void aGroupIsRemovedWithWhatIsStillInIt() throws Exception {
        FakeCgroups cgroups = new FakeCgroups(temp).v1("cpu", "/");
        Confinement confinement =
                Confinement.ofBroker(new ProcessLimit(1.0, null), ProcessType.NATIVE, mechanisms(cgroups));
        LimitGroup group = confinement.open("redis-1").orElseThrow();
        Process left = new ProcessBuilder("/bin/sh", "-c", "read line").start();
        group.enter(left.pid());

        group.close();

        assertThat(Patience.exitCode("what is still in it", left)).isNotZero();
        assertNoGroupIsLeft(cgroups);
    }

    private static void assertNoGroupIsLeft(FakeCgroups cgroups) {
        assertThat(cgroups.made()).isNotEmpty().noneMatch(Files::exists);
    }

    @Test
    void theHeapOfAClientLeavesRoomForTheRestOfItsJvm() throws IOException {
        LimitMechanisms mechanisms =
                mechanisms(new FakeCgroups(temp).v1("cpu", "/").v1("memory", "/"));
        assertThat(Confinement.ofEachClient(new ProcessLimit(0.5, 256L << 20), mechanisms)
                        .clientHeapOptions())
                .hasValueSatisfying(options -> assertThat(options).startsWith("-Xmx104857k "));
        assertThat(Confinement.ofEachClient(new ProcessLimit(0.5, null), mechanisms)
                        .clientHeapOptions())
                .isEmpty();
    }
}
