package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Copies the jars that a POM names into the POM's folder, by way of the project's own Maven. */
final class MavenCopy {

    private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

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
        Process maven = new ProcessBuilder(command(pom))
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!maven.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                throw failure("Maven did not end within " + limit.toSeconds() + " s", output);
            }
            if (maven.exitValue() != 0) {
                throw failure("Maven ended with exit code " + maven.exitValue(), output);
            }
        } finally {
            kill(maven);
        }
        Files.delete(output);
    }

    private List<String> command(Path pom) throws LocalBrokerException {
        Path mvnw = home.resolve("mvnw");
        if (!Files.isExecutable(mvnw)) {
            throw new LocalBrokerException("cannot fetch " + set.product() + ": there is no program " + mvnw, null);
        }
        List<String> command = new ArrayList<>(List.of(mvnw.toString(), "-B", "-q", "-f", pom.toString()));
        String repository = System.getProperty("maven.repo.local", "");
        if (!repository.isEmpty()) {
            command.add("-Dmaven.repo.local=" + repository);
        }
        command.add("dependency:copy-dependencies");
        return command;
    }

    private static void kill(Process maven) {
        maven.descendants().forEach(ProcessHandle::destroyForcibly);
        maven.destroyForcibly()
                .onExit()
                .orTimeout(KILL_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    private LocalBrokerException failure(String what, Path output) throws IOException {
        List<String> lines = new String(Files.readAllBytes(output), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                // From here on Maven explains how to run Maven.
                .takeWhile(line -> !line.contains("To see the full stack trace"))
                .toList();
        String shown = lines.stream()
                .skip(Math.max(0, lines.size() - LINES_SHOWN))
                .map(line -> "\n  " + line)
                .collect(Collectors.joining());
        return new LocalBrokerException(
                "cannot fetch " + set.product() + " " + set.version() + ": " + what + "; it says:" + shown
                        + "\nA broker that already runs needs no download: point the driver's file to it.",
                null);
    }
}
