package io.openmessaging.benchmark.broker.kafka;

import io.openmessaging.benchmark.broker.launch.LocalPorts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import kafka.Kafka;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeClusterResult;

/**
 * The main class of a node, in the node's JVM: formats the data folder, which as a step of its own would cost another
 * start of a JVM, runs the broker, and tells the starter when the broker serves clients.
 */
public final class KafkaNode {

    private static final int POLL_MS = 20;

    private KafkaNode() {}

    /**
     * Runs the node until it ends.
     *
     * @param arguments the properties file, the cluster's id, {@code host:port} where this node serves clients, the number
     *     of nodes, and the file that is created once this node sees all nodes and a controller
     */
    public static void main(String[] arguments) {
        String properties = arguments[0];
        format(properties, arguments[1]);
        String address = arguments[2];
        int nodes = Integer.parseInt(arguments[3]);
        Path readyFile = Path.of(arguments[4]);
        Thread readiness = new Thread(() -> reportReady(address, nodes, readyFile), "readiness");
        readiness.setDaemon(true);
        readiness.start();
        Kafka.main(new String[] {properties});
    }

    private static void format(String properties, String clusterId) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        // A node that starts again has its data.
        String[] command = {"format", "--ignore-formatted", "--cluster-id", clusterId, "--config", properties};
        int exitCode = StorageTool.execute(command, new PrintStream(output, true, StandardCharsets.UTF_8));
        if (exitCode != 0) {
            throw new IllegalStateException(
                    "formatting the data folder failed: " + output.toString(StandardCharsets.UTF_8));
        }
    }

    private static void reportReady(String address, int nodes, Path readyFile) {
        try {
            // First without the client, which is costly to start and would complain about each attempt in the log.
            while (!LocalPorts.listens(address)) {
                Thread.sleep(POLL_MS);
            }
            try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, address))) {
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
            // Not yet. The starter sets the limit.
            return false;
        }
    }
}
