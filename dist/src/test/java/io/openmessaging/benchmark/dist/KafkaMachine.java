package io.openmessaging.benchmark.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A Kafka that {@code bin/broker} runs on a machine of its own, separate from this machine's {@code bin/broker} Kafka.
 */
final class KafkaMachine implements AutoCloseable {

    private static final int PORT = 9092;

    private final Path home;
    private final Machines.Machine machine;

    private KafkaMachine(Path home, Machines.Machine machine) {
        this.home = home;
        this.machine = machine;
    }

    /**
     * Starts the broker.
     *
     * @param folder folder for its files
     */
    static KafkaMachine start(Path folder, Machines.Machine machine) throws IOException, InterruptedException {
        KafkaMachine kafka = new KafkaMachine(layOut(folder), machine);
        if (!isFetched()) {
            // The machine that the broker runs on cannot reach the download site.
            kafka.broker(List.of(), "start", "kafka", "--port", "0", "--heap", "256m");
            kafka.broker(List.of(), "stop", "kafka");
        }
        kafka.broker(machine.command(List.of()), "start", "kafka", "--host", machine.address(), "--heap", "256m");
        return kafka;
    }

    /** Lays out a release, with what this checkout has fetched. */
    private static Path layOut(Path folder) throws IOException {
        Path home = Files.createDirectories(folder.resolve("kafka"));
        Files.createDirectories(home.resolve("bin"));
        Files.createDirectories(home.resolve(".brokers"));
        for (String script : List.of("bin/broker", "bin/environment.sh")) {
            Files.copy(Benchmark.HOME.resolve(script), home.resolve(script), StandardCopyOption.COPY_ATTRIBUTES);
        }
        Files.createDirectories(jars());
        Files.createSymbolicLink(home.resolve(".brokers/jars"), jars());
        Files.createSymbolicLink(home.resolve("lib"), Benchmark.HOME.resolve("dist/target/benchmark/lib"));
        for (String ofMaven : List.of("mvnw", ".mvn")) {
            Files.createSymbolicLink(home.resolve(ofMaven), Benchmark.HOME.resolve(ofMaven));
        }
        return home;
    }

    /** Removes links out of the test's folder before the folder is removed. */
    private void unlink() throws IOException {
        for (String link : List.of(".brokers/jars", "lib", "mvnw", ".mvn")) {
            Files.delete(home.resolve(link));
        }
    }

    private static Path jars() {
        return Benchmark.HOME.resolve(".brokers/jars");
    }

    private static boolean isFetched() throws IOException {
        try (Stream<Path> fetched = Files.list(jars())) {
            return fetched.anyMatch(jars ->
                    Files.isDirectory(jars) && jars.getFileName().toString().startsWith("kafka-"));
        }
    }

    private void broker(List<String> prefix, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(prefix);
        command.add(home.resolve("bin/broker").toString());
        command.addAll(List.of(arguments));
        Path output = home.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (Benchmark.exitCode(process) != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + Files.readString(output));
        }
    }

    /** The driver file that comes with the project, adapted to this broker. */
    String driver() throws IOException {
        return Files.readString(Benchmark.HOME.resolve("driver-kafka/kafka.yaml"))
                .replace("localhost:9092", machine.address() + ":" + PORT);
    }

    @Override
    public void close() throws IOException {
        try {
            broker(List.of(), "stop", "kafka");
            unlink();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
