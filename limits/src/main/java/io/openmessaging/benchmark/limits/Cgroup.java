package io.openmessaging.benchmark.limits;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A control group that keeps processes to a limit: what its files are called in either version, and what is written to
 * them. Version 1 is kept beside version 2 since it is what some machines still have, virtual ones of clouds among them:
 * without it, memory could not be limited there at all, and processors only in whole ones.
 *
 * @param limit what it keeps; null is what it does not limit
 */
record Cgroup(CgroupFiles files, Root place, Path folder, ProcessLimit limit) {

    private static final String PROCESSES = "cgroup.procs";

    private static final int SHARES_OF_A_THREAD = 1024;
    private static final int WEIGHT_OF_A_THREAD = 100;
    private static final int MAX_WEIGHT = 10_000;

    private static final long SLICE_US = ControlGroupCounters.SLICE_MS * 1000L;

    /** The kernel takes no less. */
    private static final long LEAST_QUOTA_US = 1000;

    /**
     * Where groups can be made.
     *
     * @param version of the hierarchy
     * @param parent the group in which they are made
     * @param home the group that this process is in, to which a process that leaves its limits returns
     */
    record Root(Mechanism version, Path parent, Path home) {

        private boolean isV2() {
            return version == Mechanism.CGROUP_V2;
        }
    }

    /**
     * Writes the limit.
     *
     * @param threads how many threads of processes that are in no group it counts for where processors are fought for;
     *     0 for whatever the kernel gives it
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
            // Swap is not given in place of memory: it would turn a limit on memory into one on the disk's speed. Only
            // there if the kernel counts swap; version 1 counts memory and swap together.
            String swap = place.isV2() ? "memory.swap.max" : "memory.memsw.limit_in_bytes";
            if (files.exists(folder.resolve(swap))) {
                write(swap, place.isV2() ? "0" : bytes);
            }
        }
    }

    private void write(String name, String text) throws IOException {
        files.write(folder.resolve(name), text);
    }

    /** Puts a process in, with all its threads. */
    void enter(long pid) throws IOException {
        write(PROCESSES, Long.toString(pid));
    }

    /** Puts a process back where this one was. */
    void leave(long pid) throws IOException {
        files.write(place.home().resolve(PROCESSES), Long.toString(pid));
    }

    /** What it has counted of what it limits. */
    ControlGroupCounters counters() throws IOException {
        Long throttled = limit.cpus() == null ? null : value(read("cpu.stat"), "nr_throttled");
        if (limit.memoryBytes() == null) {
            return new ControlGroupCounters(throttled, null, null, null, null);
        }
        long used = count(place.isV2() ? "memory.current" : "memory.usage_in_bytes");
        String stat = read("memory.stat");
        Long active = value(stat, place.isV2() ? "active_file" : "total_active_file");
        Long inactive = value(stat, place.isV2() ? "inactive_file" : "total_inactive_file");
        // Read one after the other, they need not agree.
        long held = Math.max(0, used - (active == null ? 0 : active) - (inactive == null ? 0 : inactive));
        if (place.isV2()) {
            String events = read("memory.events");
            return new ControlGroupCounters(throttled, used, held, value(events, "max"), value(events, "oom_kill"));
        }
        // Whichever of the two limits, which are the same, was looked at first.
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

    /** Of lines that are a key, a space and a number; null if the key is not among them. */
    static @Nullable Long value(String lines, String key) {
        return lines.lines()
                .filter(line -> line.startsWith(key + " "))
                .findFirst()
                .map(line -> Long.valueOf(line.substring(key.length() + 1).strip()))
                .orElse(null);
    }
}
