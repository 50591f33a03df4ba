package io.openmessaging.benchmark.resources;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Limits of this process' threads and open files, as reported by Linux. An unreported limit counts as none.
 *
 * @param threads the lowest of the limits for threads
 * @param descriptors the limit of open files, including sockets
 */
public record KernelLimits(Limit threads, Limit descriptors) {

    /** Names of limits in {@code /proc/self/limits}. */
    public static final String PROCESSES = "Max processes";

    public static final String FILES = "Max open files";

    /** The JVM maps a thread's stack, and a guard page next to it. */
    private static final int MAPPINGS_OF_A_THREAD = 2;

    private static final Pattern GROUP = Pattern.compile("(?m)^\\d+:(pids)?:/(.*)$");

    private static final long NONE = Long.MAX_VALUE;

    /**
     * One limit.
     *
     * @param most largest permitted number
     * @param name the name by which a user knows the limit
     */
    public record Limit(long most, String name) {}

    /**
     * Returns the limits of this process. The JVM has already raised the limit of open files to the permitted maximum.
     */
    public static KernelLimits here() {
        return read(Path.of("/"));
    }

    /**
     * Returns a limit of this process from {@code /proc/self/limits}: {@link Long#MAX_VALUE} if it is unlimited, empty
     * if it is not known.
     *
     * @param root the folder that contains {@code proc}: {@code /}, except in tests
     * @param name the kernel's name of it, such as {@code Max open files}
     */
    public static OptionalLong own(Path root, String name) {
        Matcher line =
                Pattern.compile("(?m)^" + name + " +(\\d+|unlimited)").matcher(text(root.resolve("proc/self/limits")));
        if (!line.find()) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(line.group(1).equals("unlimited") ? NONE : Long.parseLong(line.group(1)));
    }

    /** Reads {@code proc} and {@code sys} below a folder. */
    static KernelLimits read(Path root) {
        Path proc = root.resolve("proc");
        List<Limit> threads = new ArrayList<>();
        threads.add(new Limit(own(root, PROCESSES).orElse(NONE), "ulimit -u"));
        threads.add(new Limit(number(proc.resolve("sys/kernel/threads-max")), "kernel.threads-max"));
        threads.add(new Limit(number(proc.resolve("sys/kernel/pid_max")), "kernel.pid_max"));
        threads.add(new Limit(
                ofMappings(number(proc.resolve("sys/vm/max_map_count"))),
                "vm.max_map_count, mappings per thread: " + MAPPINGS_OF_A_THREAD));
        threads.add(new Limit(ofControlGroups(root), "pids.max of the control group"));
        return new KernelLimits(
                threads.stream().min(Comparator.comparingLong(Limit::most)).orElseThrow(),
                new Limit(own(root, FILES).orElse(NONE), "ulimit -n"));
    }

    private static long ofMappings(long mappings) {
        return mappings == NONE ? NONE : mappings / MAPPINGS_OF_A_THREAD;
    }

    /**
     * Returns the lowest limit from the process' group upwards; version 1 of control groups has a separate tree for
     * it.
     */
    private static long ofControlGroups(Path root) {
        Path groups = root.resolve("sys/fs/cgroup");
        long least = NONE;
        Matcher matcher = GROUP.matcher(text(root.resolve("proc/self/cgroup")));
        while (matcher.find()) {
            Path top = matcher.group(1) == null ? groups : groups.resolve(matcher.group(1));
            for (Path group = top.resolve(matcher.group(2)); group.startsWith(top); group = parent(group)) {
                least = Math.min(least, number(group.resolve("pids.max")));
            }
        }
        return least;
    }

    private static Path parent(Path folder) {
        return Optional.ofNullable(folder.getParent()).orElse(Path.of("/nowhere"));
    }

    /** Returns the number in a file; files that contain {@code max} or do not exist are no limit. */
    private static long number(Path file) {
        String text = text(file).strip();
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : NONE;
    }

    /**
     * Reads line by line: the kernel returns a setting in a single read, and the first read of Files.readString is of
     * one byte.
     */
    private static String text(Path file) {
        try {
            return String.join("\n", Files.readAllLines(file));
        } catch (IOException e) {
            return "";
        }
    }
}
