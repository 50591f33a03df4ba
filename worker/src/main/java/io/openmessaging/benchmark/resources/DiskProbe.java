package io.openmessaging.benchmark.resources;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The room on a file system, and whether so little is left that a run had better end. */
public final class DiskProbe extends ResourceProbe {

    private static final Logger LOG = LoggerFactory.getLogger(DiskProbe.class);

    /** On a large disk, this much is enough to end a run cleanly. */
    static final long LEAST_BYTES = 1L << 30;

    /** On a small one, it is this part of it. */
    static final double LEAST_PART = 0.05;

    private final String folder;
    private final FileStore store;
    private final AtomicReference<DiskSpace> nearlyFull = new AtomicReference<>();

    /**
     * Of the file system that a folder is on.
     *
     * @param folder named in findings
     */
    public DiskProbe(Path folder, FileStore store) {
        super("disk of " + folder, Role.HOST);
        this.folder = folder.toString();
        this.store = store;
    }

    @Override
    public EnumMap<Figure, Double> read() {
        EnumMap<Figure, Double> figures = new EnumMap<>(Figure.class);
        try {
            long freeBytes = store.getUsableSpace();
            long leastBytes = (long) Math.min(LEAST_BYTES, LEAST_PART * store.getTotalSpace());
            figures.put(Figure.DISK_FREE_BYTES, (double) freeBytes);
            if (freeBytes < leastBytes) {
                nearlyFull.compareAndSet(null, new DiskSpace(folder, freeBytes, leastBytes));
            }
        } catch (IOException e) {
            LOG.debug("The room on the disk of {} cannot be read", folder, e);
        }
        return figures;
    }

    /** What was left when it was first less than it should be; empty until then. Thread-safe. */
    Optional<DiskSpace> nearlyFull() {
        return Optional.ofNullable(nearlyFull.get());
    }
}
