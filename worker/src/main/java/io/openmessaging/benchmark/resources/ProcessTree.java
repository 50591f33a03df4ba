package io.openmessaging.benchmark.resources;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The processes that a process has started, and their shared memory. On Linux, the kernel is asked for the children of
 * each thread, which takes a tenth of the time of listing all processes of the machine. Static methods; thread-safe.
 */
final class ProcessTree {

    private static final long BYTES_PER_KB = 1024;

    private ProcessTree() {}

    /** Returns the process, if it exists, and all its descendants. */
    static Set<Long> of(long pid) {
        Set<Long> tree = new LinkedHashSet<>();
        ProcessHandle.of(pid).ifPresent(root -> {
            tree.add(pid);
            if (Files.isReadable(proc(pid, "task/" + pid + "/children"))) {
                addChildren(pid, tree);
            } else {
                root.descendants().forEach(child -> tree.add(child.pid()));
            }
        });
        return tree;
    }

    private static Path proc(long pid, String file) {
        return Path.of("/proc", Long.toString(pid), file);
    }

    private static void addChildren(long pid, Set<Long> tree) {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(proc(pid, "task"))) {
            for (Path thread : threads) {
                for (String child : read(thread.resolve("children")).split("\\s+")) {
                    if (!child.isEmpty() && tree.add(Long.valueOf(child))) {
                        addChildren(Long.parseLong(child), tree);
                    }
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // The process has ended meanwhile.
        }
    }

    /** Returns the text of a file; empty if its thread has ended. */
    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns the memory that a process shares with no other; empty if the kernel does not report it. */
    static OptionalLong unsharedBytes(long pid) {
        try {
            List<String> lines = Files.readAllLines(proc(pid, "smaps_rollup"));
            return OptionalLong.of(lines.stream()
                    .filter(line -> line.startsWith("Private_"))
                    .mapToLong(line -> BYTES_PER_KB * Long.parseLong(line.replaceAll("\\D", "")))
                    .sum());
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }
}
