package io.openmessaging.benchmark.driver.nats;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.sendAcknowledged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Security;
import io.openmessaging.benchmark.broker.RunningBroker.Launch;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.NodeFigures;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests what TLS verifies. The server's certificate names {@code localhost} and {@code 127.0.0.1}. */
@LongSuite("starts a server with TLS")
class NatsTlsIT {

    @RegisterExtension
    static final LocalNats NATS = new LocalNats(new Setup(1, null, Map.of(), new Security(true, false)));

    /** The driver file, for a server at another address. */
    private static NatsConfig config(String address) {
        NatsConfig secured = NATS.driverFile().config(NatsConfig.class);
        return secured.withServers(List.of(address))
                .withMonitoring("https", NATS.broker().endpoints().getOrDefault("https", List.of()));
    }

    @Test
    void theHostThatTheCertificateNamesIsTrusted() throws Exception {
        String address = NATS.addresses().get(0).replaceFirst(".*:", "localhost:");
        try (DriverSession session = DriverSession.open(new NatsBenchmarkDriver(), config(address), TIMEOUT)) {
            sendAcknowledged(session.producer(session.topic(1)), 0, 10, 100);
            assertThat(session.connection().describeBroker().settings())
                    .as("told by the encrypted monitoring endpoint")
                    .containsEntry("sync_interval", "120s");
        }
        for (NodeFigures figures : new NatsBenchmarkDriver().nodeFigures(config(address), TIMEOUT)) {
            assertThat(figures.read()).containsKey(NatsMonitor.SERVER + "mem");
        }
    }

    @Test
    void anotherHostIsRefusedUnlessHostsAreNotVerified() throws Exception {
        try (Relay relay = Relay.to(LocalPorts.socketAddress(NATS.addresses().get(0)))) {
            NatsConfig verified = config(relay.address());
            assertThatThrownBy(() -> DriverSession.open(new NatsBenchmarkDriver(), verified, TIMEOUT))
                    .isInstanceOf(DriverException.class)
                    .hasMessageContaining("No subject alternative names matching IP address 127.0.0.2 found");

            NatsTls tls = ConfigRecords.with(Objects.requireNonNull(verified.tls()), Map.of("verifyHostname", false));
            NatsConfig unverified = ConfigRecords.with(verified, Map.of("tls", tls));
            try (DriverSession session = DriverSession.open(new NatsBenchmarkDriver(), unverified, TIMEOUT)) {
                sendAcknowledged(session.producer(session.topic(1)), 0, 10, 100);
            }
        }
    }

    /** The local broker demands no certificate of clients, so a server of the test's own does, with the same program. */
    @Test
    void aServerThatDemandsItGetsTheClientsCertificate(@TempDir Path folder) throws Exception {
        NatsTls trusting = Objects.requireNonNull(config("localhost").tls());
        Path trusted = Path.of(Objects.requireNonNull(trusting.trustStore()));
        String address = ListenAddress.LOOPBACK.withPort(
                LocalPorts.free(ListenAddress.LOOPBACK, 1, 0).get(0));
        Path log = folder.resolve("log");
        Process server = demandingServer(folder, address, trusted).start(log);
        try {
            Patience.until("the server", () -> Files.readString(log).contains("Server is ready"));
            NatsTls presenting = ConfigRecords.with(
                    trusting,
                    Map.of(
                            "keyStore",
                            trusted.resolveSibling("client.p12").toString(),
                            "keyStorePassword",
                            Objects.requireNonNull(trusting.trustStorePassword())));
            NatsConfig known = Configs.of(Map.of("natsHostUrl", address, "mode", "JETSTREAM", "tls", presenting));
            try (DriverSession session = DriverSession.open(new NatsBenchmarkDriver(), known, TIMEOUT)) {
                sendAcknowledged(session.producer(session.topic(1)), 0, 10, 100);
            }
            NatsConfig unknown = ConfigRecords.with(known, Map.of("tls", trusting));
            assertThatThrownBy(() -> DriverSession.open(new NatsBenchmarkDriver(), unknown, TIMEOUT))
                    .isInstanceOf(DriverException.class)
                    .hasMessageContaining("set tls.keyStore");
        } finally {
            server.destroy();
            Patience.exitCode("the server", server);
        }
    }

    private static Launch demandingServer(Path folder, String address, Path trusted) throws IOException {
        Path file = Files.writeString(folder.resolve("nats.conf"), """
                listen: "%s"
                jetstream { store_dir: "%s" }
                tls { cert_file: "%s", key_file: "%s", ca_file: "%s", verify: true }
                """.formatted(
                        address,
                        folder.resolve("data"),
                        trusted.resolveSibling("broker.crt"),
                        trusted.resolveSibling("broker.key"),
                        trusted.resolveSibling("trusted.crt")));
        Launch local = NATS.broker().nodes().get(0).launch();
        String program = local.command().get(local.command().indexOf("--config") - 1);
        List<String> command = List.of(program, "--config", file.toString());
        return new Launch(command, local.environment(), local.removedVariables(), folder);
    }

    /** Passes connections on from an address that the certificate does not name. */
    private record Relay(ServerSocket server) implements AutoCloseable {

        static Relay to(InetSocketAddress target) throws IOException {
            Relay relay = new Relay(new ServerSocket(0, 50, InetAddress.getByName("127.0.0.2")));
            daemon(() -> {
                while (true) {
                    Socket client = relay.server.accept();
                    Socket broker = new Socket(target.getAddress(), target.getPort());
                    daemon(() -> client.getInputStream().transferTo(broker.getOutputStream()));
                    daemon(() -> broker.getInputStream().transferTo(client.getOutputStream()));
                }
            });
            return relay;
        }

        private interface Task {
            Object run() throws IOException;
        }

        private static void daemon(Task task) {
            Thread thread = new Thread(() -> {
                try {
                    task.run();
                } catch (IOException e) {
                    // The connection is closed.
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        String address() {
            return "127.0.0.2:" + server.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
