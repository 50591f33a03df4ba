package io.openmessaging.benchmark.broker.fetch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;

/**
 * A folder whose content is fetched on first use. Several processes may use the same folder concurrently; an incomplete
 * download is never used.
 *
 * @param folder its path
 * @param product the name of what is fetched, for messages
 * @param key the name of the file in the folder that identifies its content
 * @param content the expected text of that file; if it differs, everything is fetched again
 */
record FetchedFolder(Path folder, String product, String key, String content) {

    /** Long enough for a slow connection: the largest broker has 250 MB. */
    static final Duration LIMIT = Duration.ofMinutes(20);

    private static final int POLL_MS = 200;

    /** Gets the content. */
    interface Download {

        /**
         * Fills the folder.
         *
         * @param part a folder that contains only the key file; it is moved to its place afterwards
         */
        void fetch(Path part) throws IOException, LocalBrokerException, InterruptedException;
    }

    /** Returns once the content is present. Blocks while this process or another one fetches it. */
    void fill(Download source) throws LocalBrokerException, InterruptedException {
        try {
            if (!isFilled()) {
                fillAlone(source);
            }
        } catch (IOException e) {
            throw new LocalBrokerException("cannot store " + product + " in " + folder + ": " + e, e);
        }
    }

    private boolean isFilled() throws IOException {
        Path file = folder.resolve(key);
        return Files.exists(file) && Files.readString(file).equals(content);
    }

    private void fillAlone(Download source) throws IOException, LocalBrokerException, InterruptedException {
        long deadlineNs = System.nanoTime() + LIMIT.toNanos();
        try (ProcessLock lock = ProcessLock.open(folder.resolveSibling(folder.getFileName() + ".lock"))) {
            while (!lock.tryAcquire()) {
                if (System.nanoTime() - deadlineNs > 0) {
                    throw new LocalBrokerException(
                            "waited " + LIMIT.toMinutes() + " min for another process to fetch " + product);
                }
                Thread.sleep(POLL_MS);
            }
            if (!isFilled()) {
                fetch(source);
            }
        }
    }

    private void fetch(Download source) throws IOException, LocalBrokerException, InterruptedException {
        Path part = folder.resolveSibling(folder.getFileName() + ".part");
        FileTree.delete(part);
        Files.writeString(Files.createDirectories(part).resolve(key), content);
        try {
            source.fetch(part);
            FileTree.delete(folder);
            Files.move(part, folder, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            FileTree.delete(part);
        }
    }
}
