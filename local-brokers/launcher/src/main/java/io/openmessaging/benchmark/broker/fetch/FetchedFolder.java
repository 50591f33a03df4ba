package io.openmessaging.benchmark.broker.fetch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;

/**
 * A folder whose content is fetched on first use. Several processes may use the same one at the same time; what was cut
 * short is never used.
 *
 * @param folder its place
 * @param product what is fetched, for messages
 * @param key the name of the file in it that tells what the content is
 * @param content what that file must say; if it says something else, all is fetched again
 */
record FetchedFolder(Path folder, String product, String key, String content) {

    /** For a slow line: the largest broker has 250 MB. */
    static final Duration LIMIT = Duration.ofMinutes(20);

    private static final int POLL_MS = 200;

    /** Gets the content. */
    interface Download {

        /**
         * Fills the folder.
         *
         * @param part holds nothing but the file that tells what it is; it is moved to its place afterwards
         */
        void fetch(Path part) throws IOException, LocalBrokerException, InterruptedException;
    }

    /** Returns once the content is there. Blocks while it is fetched, by this process or another one. */
    void fill(Download source) throws LocalBrokerException, InterruptedException {
        try {
            if (!isFilled()) {
                fillAlone(source);
            }
        } catch (IOException e) {
            throw new LocalBrokerException("cannot keep " + product + " in " + folder + ": " + e, e);
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
