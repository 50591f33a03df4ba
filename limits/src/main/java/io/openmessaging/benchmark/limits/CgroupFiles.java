package io.openmessaging.benchmark.limits;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** The kernel's control group files on this machine; tests replace them. */
class CgroupFiles {

    /** Creates a group; the kernel adds its files. */
    void create(Path group) throws IOException {
        Files.createDirectory(group);
    }

    /** Removes a group; fails while a process is in it. */
    void remove(Path group) throws IOException {
        Files.deleteIfExists(group);
    }

    /** Writes to an existing file; never creates one, since only the kernel creates them. */
    void write(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.WRITE);
    }

    /** Returns the processes in a group. */
    List<Long> processes(Path group) throws IOException {
        return read(group.resolve("cgroup.procs")).lines().map(Long::valueOf).toList();
    }

    String read(Path file) throws IOException {
        return Files.readString(file);
    }

    boolean exists(Path file) {
        return Files.exists(file);
    }
}
