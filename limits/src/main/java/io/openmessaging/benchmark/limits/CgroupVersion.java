package io.openmessaging.benchmark.limits;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the files of a control group are called, and what is written to them. */
enum CgroupVersion {
    V1(Mechanism.CGROUP_V1) {
        @Override
        void limitCpus(CgroupFiles files, Path group, double cpus) throws IOException {
            files.write(group.resolve("cpu.cfs_period_us"), Long.toString(SLICE_US));
            files.write(group.resolve("cpu.cfs_quota_us"), Long.toString(quotaUs(cpus)));
        }

        @Override
        void weigh(CgroupFiles files, Path group, int threads) throws IOException {
            files.write(group.resolve("cpu.shares"), Integer.toString(SHARES_OF_A_THREAD * threads));
        }

        @Override
        void limitMemory(CgroupFiles files, Path group, long bytes) throws IOException {
            files.write(group.resolve("memory.limit_in_bytes"), Long.toString(bytes));
            // Memory and swap together; only there if the kernel counts swap.
            Path withSwap = group.resolve("memory.memsw.limit_in_bytes");
            if (files.exists(withSwap)) {
                files.write(withSwap, Long.toString(bytes));
            }
        }

        @Override
        LimitCounters memoryCounters(CgroupFiles files, Path group) throws IOException {
            long used = Long.parseLong(
                    files.read(group.resolve("memory.usage_in_bytes")).strip());
            List<String> stat = lines(files, group, "memory.stat");
            return new LimitCounters(
                    null,
                    used,
                    held(used, value(stat, "total_active_file"), value(stat, "total_inactive_file")),
                    // Whichever of the two limits, which are the same, was looked at first.
                    count(files, group.resolve("memory.failcnt")) + count(files, group.resolve("memory.memsw.failcnt")),
                    value(lines(files, group, "memory.oom_control"), "oom_kill"));
        }
    },
    V2(Mechanism.CGROUP_V2) {
        @Override
        void limitCpus(CgroupFiles files, Path group, double cpus) throws IOException {
            files.write(group.resolve("cpu.max"), quotaUs(cpus) + " " + SLICE_US);
        }

        @Override
        void weigh(CgroupFiles files, Path group, int threads) throws IOException {
            files.write(
                    group.resolve("cpu.weight"), Integer.toString(Math.min(MAX_WEIGHT, WEIGHT_OF_A_THREAD * threads)));
        }

        @Override
        void limitMemory(CgroupFiles files, Path group, long bytes) throws IOException {
            files.write(group.resolve("memory.max"), Long.toString(bytes));
            Path swap = group.resolve("memory.swap.max");
            if (files.exists(swap)) {
                files.write(swap, "0");
            }
        }

        @Override
        LimitCounters memoryCounters(CgroupFiles files, Path group) throws IOException {
            long used =
                    Long.parseLong(files.read(group.resolve("memory.current")).strip());
            List<String> stat = lines(files, group, "memory.stat");
            List<String> events = lines(files, group, "memory.events");
            return new LimitCounters(
                    null,
                    used,
                    held(used, value(stat, "active_file"), value(stat, "inactive_file")),
                    value(events, "max"),
                    value(events, "oom_kill"));
        }
    };

    private static final int SHARES_OF_A_THREAD = 1024;
    private static final int WEIGHT_OF_A_THREAD = 100;
    private static final int MAX_WEIGHT = 10_000;

    private static final long SLICE_US = LimitCounters.SLICE_MS * 1000L;

    /** The kernel takes no less. */
    private static final long LEAST_QUOTA_US = 1000;

    private final Mechanism mechanism;

    CgroupVersion(Mechanism mechanism) {
        this.mechanism = mechanism;
    }

    Mechanism mechanism() {
        return mechanism;
    }

    abstract void limitCpus(CgroupFiles files, Path group, double cpus) throws IOException;

    /** Gives it as much weight, where processors are fought for, as so many threads have that are in no group. */
    abstract void weigh(CgroupFiles files, Path group, int threads) throws IOException;

    /** Swap is not given in place of memory: it would turn a limit on memory into one on the disk's speed. */
    abstract void limitMemory(CgroupFiles files, Path group, long bytes) throws IOException;

    abstract LimitCounters memoryCounters(CgroupFiles files, Path group) throws IOException;

    LimitCounters cpuCounters(CgroupFiles files, Path group) throws IOException {
        return new LimitCounters(value(lines(files, group, "cpu.stat"), "nr_throttled"), null, null, null, null);
    }

    private static long count(CgroupFiles files, Path file) throws IOException {
        return files.exists(file) ? Long.parseLong(files.read(file).strip()) : 0;
    }

    private static long quotaUs(double cpus) {
        return Math.max(LEAST_QUOTA_US, Math.round(cpus * SLICE_US));
    }

    private static long held(long used, @Nullable Long activeFile, @Nullable Long inactiveFile) {
        // Read one after the other, they need not agree.
        return Math.max(0, used - (activeFile == null ? 0 : activeFile) - (inactiveFile == null ? 0 : inactiveFile));
    }

    private static List<String> lines(CgroupFiles files, Path group, String name) throws IOException {
        return Arrays.asList(files.read(group.resolve(name)).split("\n"));
    }

    /** Of lines that are a key, a space and a number; null if the key is not among them. */
    private static @Nullable Long value(List<String> lines, String key) {
        for (String line : lines) {
            if (line.startsWith(key + " ")) {
                return Long.valueOf(line.substring(key.length() + 1).strip());
            }
        }
        return null;
    }
}
