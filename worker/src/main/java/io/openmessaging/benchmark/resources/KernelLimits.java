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
 * How many threads and open files this process may have, as Linux tells. What is not told is no limit.
 *
 * @param threads the least of the limits for threads
 * @param descriptors of files, sockets among them
 */
public record KernelLimits(Limit threads, Limit descriptors) {

    /** The names of limits in {@code /proc/self/limits}. */
    public static final String PROCESSES = "Max processes";

    public static final String FILES = "Max open files";

    /** The JVM maps the stack of a thread and a guard page beside it. */
    private static final int MAPPINGS_OF_A_THREAD = 2;

    private static final Pattern GROUP = Pattern.compile("(?m)^\\d+:(pids)?:/(.*)$");

    private static final long NONE = Long.MAX_VALUE;

    /**
     * One limit.
     *
     * @param most how many there may be
     * @param name what a user knows it by
     */
    public record Limit(long most, String name) {}

    /** Those of this process. The JVM has raised that of files to what it may be. */
    public static KernelLimits here() {
        return read(Path.of("/"));
    }

    /**
     * A limit of this process that {@code /proc/self/limits} tells: {@link Long#MAX_VALUE} if it is unlimited, empty if it is not
     * known.
     *
     * @param root the folder that has {@code proc}: {@code /}, but for tests
     * @param name as the kernel has it, such as {@code Max open files}
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
                "vm.max_map_count, of which a thread takes " + MAPPINGS_OF_A_THREAD));
        threads.add(new Limit(ofControlGroups(root), "pids.max of the control group"));
        return new KernelLimits(
                threads.stream().min(Comparator.comparingLong(Limit::most)).orElseThrow(),
                new Limit(own(root, FILES).orElse(NONE), "ulimit -n"));
    }

    private static long ofMappings(long mappings) {
        return mappings == NONE ? NONE : mappings / MAPPINGS_OF_A_THREAD;
    }

    /** The least of those from the process' group up; version 1 of control groups has a tree of its own for it. */
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

    /** Files that say {@code max} are no limit, as those that are not there. */
    private static long number(Path file) {
        String text = text(file).strip();
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : NONE;
    }

    /** Line by line: the kernel gives its settings in one read, and the first one of Files.readString is of one byte. */
    private static String text(Path file) {
        try {
            return String.join("\n", Files.readAllLines(file));
        } catch (IOException e) {
            return "";
        }
    }
}
