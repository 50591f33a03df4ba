package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.BrokerUnavailableException;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Copies the jars that a POM names into the POM's folder, by way of the project's own Maven. */
final class MavenCopy {

    private static final int LINES_SHOWN = 5;

    private final Path home;
    private final JarSet set;
    private final Duration limit;

    MavenCopy(Path home, JarSet set, Duration limit) {
        this.home = home;
        this.set = set;
        this.limit = limit;
    }

    /**
     * Runs Maven.
     *
     * @param folder where the jars are put, with the POM
     */
    void run(Path folder) throws IOException, LocalBrokerException, InterruptedException {
        Path output = folder.resolve("maven.log");
        Path pom = Files.writeString(folder.resolve(JarCache.POM), set.pom());
        try {
            new Tool("Maven", command(pom), Map.of(), home, limit).run(output);
        } catch (Tool.FailedException e) {
            throw failure(String.valueOf(e.getMessage()), output);
        }
        Files.delete(output);
    }

    private List<String> command(Path pom) throws LocalBrokerException {
        Path mvnw = home.resolve("mvnw");
        if (!Files.isExecutable(mvnw)) {
            throw new BrokerUnavailableException(
                    "cannot fetch " + set.product() + ": there is no program " + mvnw, null);
        }
        List<String> command = new ArrayList<>(List.of(mvnw.toString(), "-B", "-q", "-f", pom.toString()));
        String repository = System.getProperty("maven.repo.local", "");
        if (!repository.isEmpty()) {
            command.add("-Dmaven.repo.local=" + repository);
        }
        command.add("dependency:copy-dependencies");
        return command;
    }

    private LocalBrokerException failure(String what, Path output) throws IOException {
        // From there on Maven explains how to run Maven.
        List<String> reasons = Tool.lines(output).stream()
                .takeWhile(line -> !line.contains("To see the full stack trace"))
                .toList();
        return new LocalBrokerException(
                "cannot fetch " + set.product() + " " + set.version() + ": " + what + "; it says:"
                        + Tool.lastLines(reasons, LINES_SHOWN)
                        + "\nA broker that already runs needs no download: point the driver's file to it.",
                null);
    }
}
