package io.openmessaging.benchmark.limits;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A control group that keeps processes to a limit: the names and contents of its files in both versions. Version 1 is
 * supported as well because some machines still have only that, including virtual machines in clouds: without it,
 * memory could not be limited there at all, and processors only as whole ones.
 *
 * @param limit limit to enforce; null fields are not limited
 */
record Cgroup(CgroupFiles files, Root place, Path folder, ProcessLimit limit) {

    private static final String PROCESSES = "cgroup.procs";

    private static final int SHARES_OF_A_THREAD = 1024;
    private static final int WEIGHT_OF_A_THREAD = 100;
    private static final int MAX_WEIGHT = 10_000;

    private static final long SLICE_US = ControlGroupCounters.SLICE_MS * 1000L;

    /** The smallest value that the kernel accepts. */
    private static final long LEAST_QUOTA_US = 1000;

    /**
     * A place where groups can be made.
     *
     * @param version of the hierarchy
     * @param parent the group in which they are made
     * @param home the group of this process; a process that leaves its limits returns to it
     */
    record Root(Mechanism version, Path parent, Path home) {

        private boolean isV2() {
            return version == Mechanism.CGROUP_V2;
        }
    }

    /**
     * Writes the limit.
     *
     * @param threads weight of the group when processors are contended, as a number of threads outside of any group; 0
     *     for the kernel's default
     */
    void write(int threads) throws IOException {
        if (limit.cpus() != null) {
            String quotaUs = Long.toString(Math.max(LEAST_QUOTA_US, Math.round(limit.cpus() * SLICE_US)));
            if (place.isV2()) {
                write("cpu.max", quotaUs + " " + SLICE_US);
            } else {
                write("cpu.cfs_period_us", Long.toString(SLICE_US));
                write("cpu.cfs_quota_us", quotaUs);
            }
            if (threads > 0 && place.isV2()) {
                write("cpu.weight", Integer.toString(Math.min(MAX_WEIGHT, WEIGHT_OF_A_THREAD * threads)));
            } else if (threads > 0) {
                write("cpu.shares", Integer.toString(SHARES_OF_A_THREAD * threads));
            }
        }
        if (limit.memoryBytes() != null) {
            String bytes = limit.memoryBytes().toString();
            write(place.isV2() ? "memory.max" : "memory.limit_in_bytes", bytes);
            // Swap may not replace memory: a memory limit would turn into a limit by the disk's speed. The file only
            // exists if the kernel counts swap; version 1 counts memory and swap together.
            String swap = place.isV2() ? "memory.swap.max" : "memory.memsw.limit_in_bytes";
            if (files.exists(folder.resolve(swap))) {
                write(swap, place.isV2() ? "0" : bytes);
            }
        }
    }

    private void write(String name, String text) throws IOException {
        files.write(folder.resolve(name), text);
    }

    /** Moves a process into the group, with all its threads. */
    void enter(long pid) throws IOException {
        write(PROCESSES, Long.toString(pid));
    }

    /** Moves a process back to the group of this process. */
    void leave(long pid) throws IOException {
        files.write(place.home().resolve(PROCESSES), Long.toString(pid));
    }

    /** Returns the counters of the limited resources. */
    ControlGroupCounters counters() throws IOException {
        Long throttled = limit.cpus() == null ? null : value(read("cpu.stat"), "nr_throttled");
        if (limit.memoryBytes() == null) {
            return new ControlGroupCounters(throttled, null, null, null, null);
        }
        long used = count(place.isV2() ? "memory.current" : "memory.usage_in_bytes");
        String stat = read("memory.stat");
        Long active = value(stat, place.isV2() ? "active_file" : "total_active_file");
        Long inactive = value(stat, place.isV2() ? "inactive_file" : "total_inactive_file");
        // The values are read one after the other, so they may be inconsistent.
        long held = Math.max(0, used - (active == null ? 0 : active) - (inactive == null ? 0 : inactive));
        if (place.isV2()) {
            String events = read("memory.events");
            return new ControlGroupCounters(throttled, used, held, value(events, "max"), value(events, "oom_kill"));
        }
        // The two limits are equal; a hit counts on the one that the kernel checks first.
        long hits = count("memory.failcnt")
                + (files.exists(folder.resolve("memory.memsw.failcnt")) ? count("memory.memsw.failcnt") : 0);
        return new ControlGroupCounters(throttled, used, held, hits, value(read("memory.oom_control"), "oom_kill"));
    }

    private String read(String name) throws IOException {
        return files.read(folder.resolve(name));
    }

    private long count(String name) throws IOException {
        return Long.parseLong(read(name).strip());
    }

    /** Returns the number after {@code key} in lines of a key, a space and a number; null if absent. */
    static @Nullable Long value(String lines, String key) {
        return lines.lines()
                .filter(line -> line.startsWith(key + " "))
                .findFirst()
                .map(line -> Long.valueOf(line.substring(key.length() + 1).strip()))
                .orElse(null);
    }
}
