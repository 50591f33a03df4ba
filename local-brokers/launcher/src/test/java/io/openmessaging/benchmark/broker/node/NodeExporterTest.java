package io.openmessaging.benchmark.broker.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("replaces the standard error")
class NodeExporterTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    /** Without the exporter's own check of the port, the agent would end this JVM. */
    @Test
    void aPortThatIsTakenIsTold() throws Exception {
        PrintStream before = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
            NodeExporter.start(
                    agent(), taken.getInetAddress().getHostAddress() + ":" + taken.getLocalPort() + ":" + folder);
        } finally {
            System.setErr(before);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .startsWith("cannot export heap and garbage collection: java.net.BindException");
    }

    private static String agent() {
        return Arrays.stream(System.getProperty("java.class.path").split(":"))
                .filter(path -> path.contains("jmx_prometheus_javaagent-"))
                .findFirst()
                .orElseThrow();
    }
}
