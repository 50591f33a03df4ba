package io.openmessaging.benchmark.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A Kafka by {@code bin/broker} on a machine of its own, which is not the one Kafka of this machine's {@code bin/broker}. */
final class KafkaMachine implements AutoCloseable {

    private static final int PORT = 9092;

    private final Path home;
    private final Machines.Machine machine;

    private KafkaMachine(Path home, Machines.Machine machine) {
        this.home = home;
        this.machine = machine;
    }

    /**
     * Starts it.
     *
     * @param folder to put it in
     */
    static KafkaMachine start(Path folder, Machines.Machine machine) throws IOException, InterruptedException {
        KafkaMachine kafka = new KafkaMachine(layOut(folder), machine);
        if (!isFetched()) {
            // Where it is to run there is no way to where it comes from.
            kafka.broker(List.of(), "start", "kafka", "--port", "0", "--heap", "256m");
            kafka.broker(List.of(), "stop", "kafka");
        }
        kafka.broker(machine.command(List.of()), "start", "kafka", "--host", machine.address(), "--heap", "256m");
        return kafka;
    }

    /** As a release is laid out, with what this checkout has fetched. */
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

    /** A link out of the test's folder is removed before the folder is. */
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

    /** The driver file that comes with the project, for this broker. */
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
