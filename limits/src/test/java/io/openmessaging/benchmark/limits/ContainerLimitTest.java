package io.openmessaging.benchmark.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerLimitTest {

    @TempDir
    private Path proc;

    @TempDir
    private Path group;

    /** Mounts version 2 as in a container, which sees only its own group of the tree. */
    @BeforeEach
    void inAGroupOfVersion2() throws IOException {
        mounted("41 31 0:38 / " + group + " rw,relatime - cgroup2 cgroup2 rw", "0::/");
    }

    private void mounted(String mountLine, String groupLine) throws IOException {
        Files.writeString(proc.resolve("mountinfo"), mountLine + "\n");
        Files.writeString(proc.resolve("cgroup"), groupLine + "\n");
    }

    private void file(String name, String text) throws IOException {
        Files.writeString(group.resolve(name), text);
    }

    private Supplier<ControlGroupCounters> counters() {
        return ContainerLimit.counters(proc, new CgroupFiles()).orElseThrow();
    }

    @Test
    void whatTheGroupCountsIsReadEachTime() throws IOException {
        file("cpu.max", "50000 100000\n");
        file("cpu.stat", "nr_periods 40\nnr_throttled 17\n");
        Supplier<ControlGroupCounters> counters = counters();
        assertThat(counters.get()).isEqualTo(new ControlGroupCounters(17L, null, null, null, null));
        file("cpu.stat", "nr_periods 50\nnr_throttled 18\n");
        assertThat(counters.get().throttledSlices()).isEqualTo(18);
        Files.delete(group.resolve("cpu.stat"));
        assertThat(counters.get()).isEqualTo(ControlGroupCounters.NONE);
    }

    @Test
    void version1HasAFileOfItsOwn() throws IOException {
        mounted("32 31 0:29 / " + group + " rw,relatime shared:9 - cgroup cgroup rw,cpu", "4:cpu:/");
        file("cpu.cfs_quota_us", "-1\n");
        file("cpu.stat", "nr_throttled 3\n");
        assertThat(ContainerLimit.counters(proc, new CgroupFiles())).isEmpty();
        file("cpu.cfs_quota_us", "50000\n");
        assertThat(counters().get().throttledSlices()).isEqualTo(3);
    }

    @Test
    void aGroupWithoutALimitHasNothingToTell() throws IOException {
        assertThat(ContainerLimit.counters(proc, new CgroupFiles())).isEmpty();
        file("cpu.max", "max 100000\n");
        file("cpu.stat", "nr_throttled 0\n");
        assertThat(ContainerLimit.counters(proc, new CgroupFiles())).isEmpty();
        assertThat(ContainerLimit.counters(proc.resolve("none"), new CgroupFiles()))
                .isEmpty();
    }
}
