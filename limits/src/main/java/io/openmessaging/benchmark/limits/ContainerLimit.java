package io.openmessaging.benchmark.limits;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/** The processor time limit that others have set for this process, such as that of its container. */
public final class ContainerLimit {

    private static final Path SELF = Path.of("/proc/self");

    private ContainerLimit() {}

    /**
     * Returns a supplier of the current counters of this process's control group; empty if its processor time is not
     * limited.
     */
    public static Optional<Supplier<ControlGroupCounters>> counters() {
        return counters(SELF, new CgroupFiles());
    }

    static Optional<Supplier<ControlGroupCounters>> counters(Path proc, CgroupFiles files) {
        return CgroupTree.read(proc, files).hierarchies().stream()
                .map(CgroupTree.Hierarchy::current)
                .filter(group -> isLimited(group, files))
                .findFirst()
                .map(group -> () -> read(group.resolve("cpu.stat"), files));
    }

    /** Reads the file of version 2, or else that of version 1. */
    private static boolean isLimited(Path group, CgroupFiles files) {
        try {
            Path v2 = group.resolve("cpu.max");
            Path v1 = group.resolve("cpu.cfs_quota_us");
            return files.exists(v2)
                    ? !files.read(v2).startsWith("max")
                    : files.exists(v1) && !files.read(v1).startsWith("-");
        } catch (IOException e) {
            return false;
        }
    }

    private static ControlGroupCounters read(Path stat, CgroupFiles files) {
        try {
            return new ControlGroupCounters(Cgroup.value(files.read(stat), "nr_throttled"), null, null, null, null);
        } catch (IOException | NumberFormatException e) {
            return ControlGroupCounters.NONE;
        }
    }
}
