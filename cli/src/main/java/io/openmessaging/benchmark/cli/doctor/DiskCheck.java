package io.openmessaging.benchmark.cli.doctor;

import io.openmessaging.benchmark.result.Quantities;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/** Free space and speed of the disk on which local brokers write. */
final class DiskCheck {

    private static final String SUBJECT = "disk";

    private static final long LEAST_BYTES = 10L << 30;

    /** Enough to get past a drive's initial burst; a slow drive writes it in a second. */
    private static final int WRITTEN_BYTES = 64 << 20;

    private static final int BLOCK_BYTES = 1 << 20;
    private static final int SYNCS = 20;
    private static final int SYNCED_BYTES = 4096;

    /**
     * A disk in a data center takes a tenth of that. Above it, the disk determines the results of systems that sync
     * each message.
     */
    private static final double SLOW_SYNC_MS = 10;

    private static final double NS_PER_MS = 1e6;

    private DiskCheck() {}

    /** Writes up to 64 MiB into the folder, for at most two seconds, and deletes them. */
    static List<Check> of(Path folder) {
        try {
            FileStore store = Files.getFileStore(folder);
            long free = store.getUsableSpace();
            List<Check> checks = new ArrayList<>();
            String room = String.format(
                    Locale.ROOT, "%.0f GiB free on %s (%s)", free / (double) (1 << 30), folder, store.type());
            checks.add(
                    free < LEAST_BYTES
                            ? Check.warning(
                                    SUBJECT, room + ": a run may fill that in minutes; runs end before a disk is full")
                            : Check.ok(SUBJECT, room));
            if (free > 2L * WRITTEN_BYTES) {
                checks.add(speed(folder));
            }
            return checks;
        } catch (IOException e) {
            return List.of(Check.unfit(SUBJECT, folder + " cannot be written to: " + e.getMessage()));
        }
    }

    private static Check speed(Path folder) throws IOException {
        Path file = Files.createTempFile(folder, "doctor", ".tmp");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            double mbPerSec = write(channel);
            double syncMs = medianSyncMs(channel);
            String text = String.format(
                    Locale.ROOT,
                    "writes %.0f MB/s, a sync of 4 KiB takes %s",
                    mbPerSec,
                    Quantities.latency(NS_PER_MS * syncMs));
            return syncMs > SLOW_SYNC_MS
                    ? Check.warning("disk speed", text + ": this disk limits systems that sync each message")
                    : Check.ok("disk speed", text);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static double write(FileChannel channel) throws IOException {
        byte[] block = new byte[BLOCK_BYTES];
        ThreadLocalRandom.current().nextBytes(block);
        long startNs = System.nanoTime();
        long endNs = startNs + 1_000_000_000L;
        long written = 0;
        while (written < WRITTEN_BYTES && System.nanoTime() < endNs) {
            written += channel.write(ByteBuffer.wrap(block));
        }
        channel.force(true);
        return written * 1e3 / (System.nanoTime() - startNs);
    }

    private static double medianSyncMs(FileChannel channel) throws IOException {
        long[] tookNs = new long[SYNCS];
        int done = 0;
        long endNs = System.nanoTime() + 1_000_000_000L;
        while (done < SYNCS && System.nanoTime() < endNs) {
            long startNs = System.nanoTime();
            channel.write(ByteBuffer.allocate(SYNCED_BYTES), (long) done * SYNCED_BYTES);
            channel.force(false);
            tookNs[done++] = System.nanoTime() - startNs;
        }
        long[] sorted = Arrays.copyOf(tookNs, done);
        Arrays.sort(sorted);
        return sorted[done / 2] / 1e6;
    }
}
