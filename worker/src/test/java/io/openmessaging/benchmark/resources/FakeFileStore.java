package io.openmessaging.benchmark.resources;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import org.jspecify.annotations.Nullable;

/** A disk of a given size, whose free space the test sets. */
final class FakeFileStore extends FileStore {

    private final long totalBytes;
    private long freeBytes;
    private boolean broken;

    FakeFileStore(long totalBytes) {
        this.totalBytes = totalBytes;
        this.freeBytes = totalBytes;
    }

    void leave(long bytes) {
        freeBytes = bytes;
    }

    void breakDown() {
        broken = true;
    }

    @Override
    public long getTotalSpace() {
        return totalBytes;
    }

    /** Includes space that is reserved for the administrator. */
    @Override
    public long getUnallocatedSpace() {
        return 2 * freeBytes;
    }

    @Override
    public long getUsableSpace() throws IOException {
        if (broken) {
            throw new IOException("the disk does not answer");
        }
        return freeBytes;
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public String type() {
        return "fake";
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
        return false;
    }

    @Override
    public boolean supportsFileAttributeView(String name) {
        return false;
    }

    @Override
    @SuppressWarnings("NullAway") // as the JDK specifies it
    public <V extends FileStoreAttributeView> @Nullable V getFileStoreAttributeView(Class<V> type) {
        return null;
    }

    @Override
    public Object getAttribute(String attribute) {
        throw new UnsupportedOperationException(attribute);
    }
}
