package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The jars of brokers, kept in {@code .brokers/jars} of the project's home folder and fetched there by the project's own
 * Maven on first use. Several processes may use the same one at the same time; a download that was cut short is never
 * used.
 */
public final class JarCache {

    /** For a slow line: the largest broker has 250 MB. */
    private static final Duration FETCH_LIMIT = Duration.ofMinutes(20);

    private static final int POLL_MS = 200;

    private static final int LINES_SHOWN = 5;

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
        Path pom = jars.resolve("pom.xml");
        return Files.exists(pom) && Files.readString(pom).equals(set.pom());
    }

    private void fetchUnlessDone(Path jars, JarSet set) throws IOException, LocalBrokerException, InterruptedException {
        Files.createDirectories(folder);
        Path lockFile = folder.resolve(jars.getFileName() + ".lock");
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = lock(channel, set)) {
            if (lock.isValid() && !holds(jars, set)) {
                fetch(jars, set);
            }
        }
    }

    private static FileLock lock(FileChannel channel, JarSet set)
            throws IOException, LocalBrokerException, InterruptedException {
        long deadlineNs = System.nanoTime() + FETCH_LIMIT.toNanos();
        while (true) {
            @Nullable FileLock lock = tryLock(channel);
            if (lock != null) {
                return lock;
            }
            if (System.nanoTime() - deadlineNs > 0) {
                throw new LocalBrokerException(
                        "waited " + FETCH_LIMIT.toMinutes() + " min for another process to fetch " + set.product(),
                        null);
            }
            Thread.sleep(POLL_MS);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // Held by another thread of this process.
            return null;
        }
    }

    private void fetch(Path jars, JarSet set) throws IOException, LocalBrokerException, InterruptedException {
        progress.accept("fetching " + set.product() + " " + set.version() + ", about " + set.sizeMb() + " MB, once");
        Path part = folder.resolve(jars.getFileName() + ".part");
        FileTree.delete(part);
        Files.createDirectories(part);
        try {
            Path pom = Files.writeString(part.resolve("pom.xml"), set.pom());
            runMaven(pom, set);
            FileTree.delete(jars);
            Files.move(part, jars, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            FileTree.delete(part);
        }
    }

    private void runMaven(Path pom, JarSet set) throws IOException, LocalBrokerException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(home.resolve("mvnw").toString(), "-B", "-q", "-f"));
        command.add(pom.toString());
        String repository = System.getProperty("maven.repo.local", "");
        if (!repository.isEmpty()) {
            command.add("-Dmaven.repo.local=" + repository);
        }
        command.add("dependency:copy-dependencies");
        Path output = pom.resolveSibling("maven.log");
        Process maven = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!maven.waitFor(FETCH_LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
                throw failure(set, "Maven did not end within " + FETCH_LIMIT.toMinutes() + " min", output);
            }
            if (maven.exitValue() != 0) {
                throw failure(set, "Maven ended with exit code " + maven.exitValue(), output);
            }
        } finally {
            maven.destroyForcibly();
        }
    }

    private static LocalBrokerException failure(JarSet set, String what, Path output) throws IOException {
        List<String> lines = Files.readAllLines(output).stream()
                .filter(line -> !line.isBlank())
                .takeWhile(line -> !line.contains("To see the full stack trace"))
                .toList();
        String shown = lines.stream()
                .skip(Math.max(0, lines.size() - LINES_SHOWN))
                .map(line -> "  " + line)
                .collect(Collectors.joining("\n"));
        return new LocalBrokerException(
                "cannot fetch " + set.product() + " " + set.version() + ": " + what + "; it says:\n" + shown
                        + "\nA broker that runs already needs no download: point the driver's file to it.",
                null);
    }
}
