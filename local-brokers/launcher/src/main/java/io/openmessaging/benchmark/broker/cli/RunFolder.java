package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.fetch.FileTree;
import io.openmessaging.benchmark.broker.fetch.ProcessLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The folder {@code .brokers/run/NAME}, with the data of the one broker of that name and the record that {@code
 * bin/broker} keeps of it.
 */
final class RunFolder {

    private static final DateTimeFormatter KEPT_SUFFIX =
            DateTimeFormatter.ofPattern("yyyy-MM-dd-HH-mm-ss", Locale.ROOT);

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .build();

    private final Path brokers;
    private final String name;
    private final Path folder;

    RunFolder(Path home, String name) {
        this.brokers = home.toAbsolutePath().normalize().resolve(".brokers");
        this.name = name;
        this.folder = brokers.resolve("run").resolve(name);
    }

    /** Returns the folder for data and logs. */
    Path data() {
        return folder.resolve("broker");
    }

    private Path recordFile() {
        return folder.resolve("record.json");
    }

    /** Performs an action while no other call of {@code bin/broker} starts or stops the same broker. */
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
        try {
            return Optional.of(JSON.readValue(Files.readAllBytes(recordFile()), RecordedBroker.class));
        } catch (JacksonException e) {
            // The text after the semicolon is the name of Jackson's rule.
            String reason = e.getOriginalMessage().split(";", 2)[0];
            throw new LocalBrokerException(
                    recordFile() + " is damaged (" + reason + "): stop " + name + " by hand and remove " + folder, e);
        }
    }

    /** Returns the broker that an earlier call started. */
    RecordedBroker recorded() throws IOException, LocalBrokerException {
        return load().orElseThrow(() -> new LocalBrokerException(name + " is not running"));
    }

    /** Writes the record atomically. */
    void save(RecordedBroker broker) throws IOException {
        Path written = Files.write(folder.resolve("record.new"), JSON.writeValueAsBytes(broker));
        Files.move(written, recordFile(), StandardCopyOption.ATOMIC_MOVE);
    }

    boolean exists() {
        return Files.exists(folder);
    }

    void remove() throws IOException {
        FileTree.delete(folder);
    }

    /** Moves data and logs to a folder that no later broker touches, and returns that folder. */
    Path keep() throws IOException {
        Path kept = Files.createDirectories(brokers.resolve("kept"))
                .resolve(name + "-" + LocalDateTime.now().format(KEPT_SUFFIX));
        Files.move(data(), kept);
        remove();
        return kept;
    }
}
