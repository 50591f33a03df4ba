package io.openmessaging.benchmark.broker.kafka;

import io.openmessaging.benchmark.broker.launch.LocalPorts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import kafka.Kafka;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeClusterResult;

/**
 * The main class of a node, in the node's JVM: formats the data folder, since a separate step would start another JVM,
 * runs the broker, and notifies the starter when the broker serves clients.
 */
public final class KafkaNode {

    private static final int POLL_MS = 20;

    private KafkaNode() {}

    /**
     * Runs the node until it ends.
     *
     * @param arguments the properties file, the properties file of a client of this node, the cluster's id, the number
     *     of nodes, the file that is created once this node sees all nodes and a controller, and, if clients log in, a
     *     file with their SCRAM credentials
     */
    public static void main(String[] arguments) throws IOException {
        String properties = arguments[0];
        Properties client = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of(arguments[1]))) {
            client.load(reader);
        }
        int nodes = Integer.parseInt(arguments[3]);
        Path readyFile = Path.of(arguments[4]);
        format(properties, arguments[2], arguments.length > 5 ? Files.readString(Path.of(arguments[5])) : "");
        Thread readiness = new Thread(() -> reportReady(client, nodes, readyFile), "readiness");
        readiness.setDaemon(true);
        readiness.start();
        Kafka.main(new String[] {properties});
    }

    private static void format(String properties, String clusterId, String scram) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        // A restarted node already has its data.
        List<String> command = new ArrayList<>(
                List.of("format", "--ignore-formatted", "--cluster-id", clusterId, "--config", properties));
        if (!scram.isEmpty()) {
            command.addAll(List.of("--add-scram", scram));
        }
        int exitCode = StorageTool.execute(
                command.toArray(String[]::new), new PrintStream(output, true, StandardCharsets.UTF_8));
        if (exitCode != 0) {
            throw new IllegalStateException(
                    "formatting the data folder failed: " + output.toString(StandardCharsets.UTF_8));
        }
    }

    private static void reportReady(Properties client, int nodes, Path readyFile) {
        try {
            // Connects first without the client, which is costly to start and would log each failed attempt.
            while (!LocalPorts.listens(client.getProperty(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG))) {
                Thread.sleep(POLL_MS);
            }
            try (Admin admin = Admin.create(client)) {
                while (!servesClients(admin, nodes)) {
                    Thread.sleep(POLL_MS);
                }
            }
            Files.writeString(readyFile, "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean servesClients(Admin admin, int nodes) throws InterruptedException {
        try {
            DescribeClusterResult cluster = admin.describeCluster();
            return cluster.nodes().get().size() == nodes && cluster.controller().get() != null;
        } catch (ExecutionException e) {
            // Not ready yet. The starter sets the limit.
            return false;
        }
    }
}
