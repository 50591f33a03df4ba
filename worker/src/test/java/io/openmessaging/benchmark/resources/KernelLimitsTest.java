package io.openmessaging.benchmark.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.resources.KernelLimits.Limit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class KernelLimitsTest {

    private static final String LIMITS = """
            Limit                     Soft Limit           Hard Limit           Units
            Max processes             96365                96365                processes
            Max open files            20000                20000                files
            """;

    @TempDir
    private Path root;

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    @Test
    void thoseOfTheProcessCount() throws IOException {
        write("proc/self/limits", LIMITS);
        assertThat(KernelLimits.read(root))
                .isEqualTo(new KernelLimits(new Limit(96_365, "ulimit -u"), new Limit(20_000, "ulimit -n")));
    }

    @Test
    void theLeastLimitOfThreadsCounts() throws IOException {
        write("proc/self/limits", LIMITS);
        write("proc/sys/kernel/threads-max", "100000\n");
        write("proc/sys/vm/max_map_count", "65530\n");
        assertThat(KernelLimits.read(root).threads())
                .isEqualTo(new Limit(32_765, "vm.max_map_count, mappings per thread: 2"));
    }

    @Test
    void theLimitOfAControlGroupAboveCounts() throws IOException {
        write("proc/self/cgroup", "0::/outer/inner\n");
        write("sys/fs/cgroup/outer/inner/pids.max", "max\n");
        write("sys/fs/cgroup/outer/pids.max", "1000\n");
        assertThat(KernelLimits.read(root).threads()).isEqualTo(new Limit(1000, "pids.max of the control group"));
    }

    @Test
    void firstVersionOfControlGroupsHasATreeForIt() throws IOException {
        write("proc/self/cgroup", "3:memory:/other\n2:pids:/mine\n");
        write("sys/fs/cgroup/pids/mine/pids.max", "2000\n");
        assertThat(KernelLimits.read(root).threads().most()).isEqualTo(2000);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void thisProcessMayHaveMoreThreadsThanItHas() {
        int threads = Thread.getAllStackTraces().size();
        assertThat(KernelLimits.here().threads().most()).isGreaterThan(threads);
        assertThat(KernelLimits.here().descriptors().most()).isGreaterThan(threads);
    }

    @Test
    void whatIsNotToldIsNoLimit() throws IOException {
        write("proc/self/limits", "Max open files            unlimited            unlimited            files\n");
        KernelLimits limits = KernelLimits.read(root);
        assertThat(limits.threads().most()).isEqualTo(Long.MAX_VALUE);
        assertThat(limits.descriptors().most()).isEqualTo(Long.MAX_VALUE);
    }
}
