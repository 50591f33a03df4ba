package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The jars of brokers, kept in {@code .brokers/jars} of the project's home folder and fetched there by the project's own
 * Maven on first use. Several processes may use the same one at the same time; a download that was cut short is never
 * used.
 */
public final class JarCache {

    /** The POM beside the jars: written first and moved with them, it tells what they are. */
    static final String POM = "pom.xml";

    /** For a slow line: the largest broker has 250 MB. */
    private static final Duration FETCH_LIMIT = Duration.ofMinutes(20);

    private static final int POLL_MS = 200;

    private final Path home;
    private final Path folder;
    private final Consumer<String> progress;

    /**
     * The cache of a home folder.
     *
     * @param home a checkout or an unpacked release
     * @param progress told when something is downloaded
     */
    public JarCache(Path home, Consumer<String> progress) {
        this.home = home.toAbsolutePath();
        this.folder = this.home.resolve(".brokers").resolve("jars");
        this.progress = progress;
    }

    /** The jars, in a fixed order. Blocks while they are fetched, by this process or another one. */
    public List<Path> jars(JarSet set) throws LocalBrokerException, InterruptedException {
        Path jars = folder.resolve(set.name() + "-" + set.version());
        try {
            if (!holds(jars, set)) {
                fetchUnlessDone(jars, set);
            }
            try (Stream<Path> files = Files.list(jars)) {
                return files.filter(file -> file.toString().endsWith(".jar"))
                        .sorted()
                        .toList();
            }
        } catch (IOException e) {
            throw new LocalBrokerException("cannot keep " + set.product() + " in " + jars + ": " + e, e);
        }
    }

    /** Whether the jars are there and are those that the set now asks for. */
    private static boolean holds(Path jars, JarSet set) throws IOException {
        Path pom = jars.resolve(POM);
        return Files.exists(pom) && Files.readString(pom).equals(set.pom());
    }

    private void fetchUnlessDone(Path jars, JarSet set) throws IOException, LocalBrokerException, InterruptedException {
        try (ProcessLock lock = ProcessLock.open(folder.resolve(jars.getFileName() + ".lock"))) {
            acquire(lock, set);
            if (!holds(jars, set)) {
                fetch(jars, set);
            }
        }
    }

    private static void acquire(ProcessLock lock, JarSet set)
            throws IOException, LocalBrokerException, InterruptedException {
        long deadlineNs = System.nanoTime() + FETCH_LIMIT.toNanos();
        while (!lock.tryAcquire()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new LocalBrokerException(
                        "waited " + FETCH_LIMIT.toMinutes() + " min for another process to fetch " + set.product(),
                        null);
            }
            Thread.sleep(POLL_MS);
        }
    }

    private void fetch(Path jars, JarSet set) throws IOException, LocalBrokerException, InterruptedException {
        progress.accept("fetching " + set.product() + " " + set.version() + ", about " + set.sizeMb() + " MB, once");
        Path part = folder.resolve(jars.getFileName() + ".part");
        FileTree.delete(part);
        Files.createDirectories(part);
        try {
            new MavenCopy(home, set, FETCH_LIMIT).run(part);
            FileTree.delete(jars);
            Files.move(part, jars, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            FileTree.delete(part);
        }
    }
}
