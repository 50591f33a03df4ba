package io.openmessaging.benchmark.broker.fetch;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A lock between the threads of all processes of this machine, tied to a file; released when closed or when the JVM
 * ends.
 */
public final class ProcessLock implements AutoCloseable {

    private final FileChannel channel;

    private ProcessLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Opens the file, creating it and its folder if needed, without taking the lock. */
    public static ProcessLock open(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        return new ProcessLock(FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    }

    /** Takes the lock and returns true, or returns false at once if another thread or process holds it. */
    public boolean tryAcquire() throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // Held by another thread of this JVM.
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
