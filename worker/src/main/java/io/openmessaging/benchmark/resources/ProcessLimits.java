package io.openmessaging.benchmark.resources;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many threads and open files this process may have, as Linux tells. What is not told is no limit.
 *
 * @param threads the least of the limits for threads
 * @param descriptors of files, sockets among them
 */
public record ProcessLimits(Limit threads, Limit descriptors) {

    /** The JVM maps the stack of a thread and a guard page beside it. */
    private static final int MAPPINGS_OF_A_THREAD = 2;

    private static final Pattern PROCESSES = Pattern.compile("(?m)^Max processes +(\\d+)");
    private static final Pattern FILES = Pattern.compile("(?m)^Max open files +(\\d+)");
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
    public static ProcessLimits here() {
        return read(Path.of("/"));
    }

    /** Reads {@code proc} and {@code sys} below a folder. */
    static ProcessLimits read(Path root) {
        Path proc = root.resolve("proc");
        String own = text(proc.resolve("self/limits"));
        List<Limit> threads = new ArrayList<>();
        threads.add(new Limit(number(PROCESSES, own), "ulimit -u"));
        threads.add(new Limit(number(proc.resolve("sys/kernel/threads-max")), "kernel.threads-max"));
        threads.add(new Limit(number(proc.resolve("sys/kernel/pid_max")), "kernel.pid_max"));
        threads.add(new Limit(
                ofMappings(number(proc.resolve("sys/vm/max_map_count"))),
                "vm.max_map_count, of which a thread takes " + MAPPINGS_OF_A_THREAD));
        threads.add(new Limit(ofControlGroups(root), "pids.max of the control group"));
        return new ProcessLimits(
                threads.stream().min(Comparator.comparingLong(Limit::most)).orElseThrow(),
                new Limit(number(FILES, own), "ulimit -n"));
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

    private static long number(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : NONE;
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
