package io.openmessaging.benchmark.limits;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The files by which the kernel of this machine shows control groups; tests have others. */
class CgroupFiles {

    /** Makes a group, which comes with its files. */
    void create(Path group) throws IOException {
        Files.createDirectory(group);
    }

    /** Removes a group; fails while a process is in it. */
    void remove(Path group) throws IOException {
        Files.deleteIfExists(group);
    }

    /** Never creates a file: one of the kernel is there or will not be. */
    void write(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.WRITE);
    }

    String read(Path file) throws IOException {
        return Files.readString(file);
    }

    boolean exists(Path file) {
        return Files.exists(file);
    }
}
