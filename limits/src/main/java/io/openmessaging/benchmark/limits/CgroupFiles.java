package io.openmessaging.benchmark.limits;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The files by which the kernel shows control groups. */
interface CgroupFiles {

    /** Makes a group, which comes with its files. */
    void create(Path group) throws IOException;

    /** Removes a group; fails while a process is in it. */
    void remove(Path group) throws IOException;

    void write(Path file, String text) throws IOException;

    String read(Path file) throws IOException;

    boolean exists(Path file);

    /** Those of this machine. */
    CgroupFiles OF_THE_KERNEL = new CgroupFiles() {
        @Override
        public void create(Path group) throws IOException {
            Files.createDirectory(group);
        }

        @Override
        public void remove(Path group) throws IOException {
            Files.deleteIfExists(group);
        }

        /** A file of the kernel is there or will not be: none is ever to be created. */
        @Override
        public void write(Path file, String text) throws IOException {
            Files.writeString(file, text, StandardOpenOption.WRITE);
        }

        @Override
        public String read(Path file) throws IOException {
            return Files.readString(file);
        }

        @Override
        public boolean exists(Path file) {
            return Files.exists(file);
        }
    };
}
