package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.fetch.FileTree;
import io.openmessaging.benchmark.broker.fetch.ProcessLock;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;

/** Where the one broker of a name keeps its data, and {@code bin/broker} its record of it: {@code .brokers/run/NAME}. */
final class RunFolder {

    private static final DateTimeFormatter KEPT_SUFFIX =
            DateTimeFormatter.ofPattern("yyyy-MM-dd-HH-mm-ss", Locale.ROOT);

    private final Path brokers;
    private final String name;
    private final Path folder;

    RunFolder(Path home, String name) {
        this.brokers = home.toAbsolutePath().normalize().resolve(".brokers");
        this.name = name;
        this.folder = brokers.resolve("run").resolve(name);
    }

    /** For data and logs. */
    Path data() {
        return folder.resolve("broker");
    }

    private Path recordFile() {
        return folder.resolve("record.properties");
    }

    /** Does something while no other call of {@code bin/broker} starts or stops the same broker. */
    <T> T exclusively(Callable<T> action) throws Exception {
        try (ProcessLock lock = ProcessLock.open(folder.resolveSibling(name + ".lock"))) {
            if (!lock.tryAcquire()) {
                throw new LocalBrokerException("another bin/broker is starting or stopping " + name);
            }
            return action.call();
        }
    }

    Optional<RecordedBroker> load() throws IOException, LocalBrokerException {
        if (!Files.exists(recordFile())) {
            return Optional.empty();
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(recordFile())) {
            properties.load(reader);
            RecordedBroker recorded = new RecordedBroker(properties);
            // Shows whether all is there that the commands need.
            recorded.nodes();
            recorded.describe();
            return Optional.of(recorded);
        } catch (IllegalArgumentException e) {
            throw new LocalBrokerException(
                    recordFile() + " is damaged (" + e.getMessage() + "): end " + name + " by hand and remove "
                            + folder,
                    e);
        }
    }

    /** Written as a whole or not at all. */
    void save(RecordedBroker broker) throws IOException {
        Path written = folder.resolve("record.new");
        try (Writer writer = Files.newBufferedWriter(written)) {
            broker.entries().store(writer, null);
        }
        Files.move(written, recordFile(), StandardCopyOption.ATOMIC_MOVE);
    }

    boolean exists() {
        return Files.exists(folder);
    }

    void remove() throws IOException {
        FileTree.delete(folder);
    }

    /** Puts data and logs aside, where no later broker touches them, and says where. */
    Path keep() throws IOException {
        Path kept = Files.createDirectories(brokers.resolve("kept"))
                .resolve(name + "-" + LocalDateTime.now().format(KEPT_SUFFIX));
        Files.move(data(), kept);
        remove();
        return kept;
    }
}
