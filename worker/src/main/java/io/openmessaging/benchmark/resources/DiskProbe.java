package io.openmessaging.benchmark.resources;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the free space of a file system, and notes if it is so low that a run should end. */
public final class DiskProbe extends ResourceProbe {

    private static final Logger LOG = LoggerFactory.getLogger(DiskProbe.class);

    /** Free space with which a run can end cleanly; applies to large disks. */
    static final long LEAST_BYTES = 1L << 30;

    /** Free part of a small disk with which a run can end cleanly. */
    static final double LEAST_PART = 0.05;

    private final String folder;
    private final FileStore store;
    private final AtomicReference<DiskSpace> nearlyFull = new AtomicReference<>();

    /**
     * Creates a probe of a folder's file system.
     *
     * @param folder the folder named in findings
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
            LOG.debug("Cannot read the free space on the disk of {}", folder, e);
        }
        return figures;
    }

    /** Returns the free space when it was first too low; empty until then. Thread-safe. */
    Optional<DiskSpace> nearlyFull() {
        return Optional.ofNullable(nearlyFull.get());
    }
}
