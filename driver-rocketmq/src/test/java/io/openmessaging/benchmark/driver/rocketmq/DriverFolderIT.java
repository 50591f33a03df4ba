package io.openmessaging.benchmark.driver.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.Protocol;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that the packaged folder contains everything that the driver needs, in its own class loader, and that the
 * driver leaves nothing in the user's home and prints nothing to the console.
 */
class DriverFolderIT {

    @RegisterExtension
    static final LocalRocketMq ROCKETMQ = new LocalRocketMq();

    @TempDir
    Path home;

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void theDriverWorksFromItsFolderAloneAndLeavesTheHomeAlone(Protocol protocol) throws Exception {
        RocketMqConfig servers = ROCKETMQ.reach(TestConfigs.config());
        Path output = home.resolveSibling(home.getFileName() + ".log");
        Process user = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-Duser.home=" + home,
                        "-cp",
                        System.getProperty("java.class.path"),
                        FolderUser.class.getName(),
                        protocol.name(),
                        servers.namesrvAddr(),
                        servers.proxyAddr())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            int exitCode = Patience.exitCode("the program that uses the driver", user);
            assertThat(lines(output)).containsExactly("received");
            assertThat(exitCode).isZero();
        } finally {
            user.destroyForcibly().waitFor();
            Files.delete(output);
        }
        try (Stream<Path> files = Files.list(home)) {
            assertThat(files).isEmpty();
        }
    }

    /** Returns the lines without slf4j's warnings about a class path that has no logger. */
    private static List<String> lines(Path output) throws IOException {
        return Files.readAllLines(output, StandardCharsets.UTF_8).stream()
                .filter(line -> !line.startsWith("SLF4J(W): "))
                .toList();
    }
}
