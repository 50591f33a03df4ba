package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private final Path home;
    private final Consumer<String> progress;

    /**
     * The cache of a home folder.
     *
     * @param home a checkout or an unpacked release
     * @param progress told when something is downloaded
     */
    public JarCache(Path home, Consumer<String> progress) {
        this.home = home.toAbsolutePath();
        this.progress = progress;
    }

    /** The jars, in a fixed order. Blocks while they are fetched, by this process or another one. */
    public List<Path> jars(JarSet set) throws LocalBrokerException, InterruptedException {
        return jars(set, FetchedFolder.LIMIT);
    }

    /**
     * The jars, in a fixed order.
     *
     * @param limit when a download of this process is given up
     */
    List<Path> jars(JarSet set, Duration limit) throws LocalBrokerException, InterruptedException {
        Path jars = home.resolve(".brokers").resolve("jars").resolve(set.name() + "-" + set.version());
        try {
            new FetchedFolder(jars, set.product(), POM, set.pom()).fill(part -> fetch(set, part, limit));
            try (Stream<Path> files = Files.list(jars)) {
                return files.filter(file -> file.toString().endsWith(".jar"))
                        .sorted()
                        .toList();
            }
        } catch (IOException e) {
            throw new LocalBrokerException("cannot keep " + set.product() + " in " + jars + ": " + e, e);
        }
    }

    private void fetch(JarSet set, Path part, Duration limit)
            throws IOException, LocalBrokerException, InterruptedException {
        progress.accept("fetching " + set.product() + " " + set.version() + ", about " + set.sizeMb() + " MB, once");
        new MavenCopy(home, set, limit).run(part);
    }
}
