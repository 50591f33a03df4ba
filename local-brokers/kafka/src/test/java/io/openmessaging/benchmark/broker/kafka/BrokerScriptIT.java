package io.openmessaging.benchmark.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.launch.JvmNode;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.suite.LongSuite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Tests {@code bin/broker} itself, in a folder laid out like a release. */
class BrokerScriptIT {

    private static final Path CHECKOUT = Path.of(System.getProperty("benchmark.home"));

    @TempDir
    Path temp;

    private Path home;

    @BeforeEach
    void layOutARelease() throws Exception {
        home = Files.createDirectory(temp.toRealPath().resolve("a release"));
        Files.createDirectories(home.resolve(".mvn/wrapper"));
        Files.createDirectories(home.resolve("bin"));
        for (String file :
                List.of("mvnw", ".mvn/wrapper/maven-wrapper.properties", "bin/broker", "bin/environment.sh")) {
            Files.copy(CHECKOUT.resolve(file), home.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
        }
        Path lib = Files.createDirectories(home.resolve("lib"));
        for (Class<?> type : List.of(
                LocalBroker.class,
                Confinement.class,
                KafkaLocalBroker.class,
                CommandLine.class,
                JsonMapper.class,
                JacksonException.class,
                JsonFormat.class)) {
            Path jar = JvmNode.classPath(List.of(), type).get(0);
            assertThat(jar).isRegularFile();
            Files.copy(jar, lib.resolve(jar.getFileName()));
        }
        Files.createSymbolicLink(temp.resolve("link"), Path.of("a release/bin/broker"));
    }

    @Test
    @LongSuite("starts another broker")
    void startsShowsAndStopsKafkaFromAnyFolder() throws Exception {
        try {
            assertThat(broker(0, "start", "kafka", "--port", "0", "--heap", "256m"))
                    .contains("Apache Kafka 4.", " at 127.0.0.1:", "  kafka-1  pid ");
            assertThat(broker(0, "status", "kafka")).contains("running");
            assertThat(broker(1, "start", "kafka")).contains("kafka is already running");
            assertThat(broker(0, "logs", "kafka", "-n", "1").lines()).hasSize(1);
        } finally {
            assertThat(broker(0, "stop", "kafka")).isEqualTo("stopped kafka\n");
        }
        assertThat(broker(1, "status", "kafka")).isEqualTo("kafka is not running\n");
        assertThat(home.resolve(".brokers/run/kafka")).doesNotExist();
    }

    @Test
    void wrongArgumentsExitWithTwo() throws Exception {
        assertThat(broker(2, "start", "none")).contains("unknown broker 'none'; known brokers: kafka");
    }

    @Test
    void saysThatThereIsNoJavaInJavaHome() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(home.resolve("bin/broker").toString(), "status", "kafka");
        builder.environment().put("JAVA_HOME", "/nowhere");

        assertThat(run(builder, 1))
                .isEqualTo(
                        "broker: JAVA_HOME is /nowhere, which has no bin/java: set it to the folder of Java 17 or newer,"
                                + " or unset it to use the java on the PATH\n");
    }

    private String broker(int exitCode, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(temp.resolve("link").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return run(builder, exitCode);
    }

    /** Runs the command in another folder; returns its whole output. */
    private String run(ProcessBuilder builder, int exitCode) throws IOException, InterruptedException {
        Path output = temp.resolve("output.txt");
        Process process = builder.directory(temp.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        // A start may have to fetch Kafka, for which the program has its own limits.
        assertThat(process.waitFor()).as(Files.readString(output)).isEqualTo(exitCode);
        return Files.readString(output);
    }
}
