package io.openmessaging.benchmark.driver.redis;

import static org.awaitility.Awaitility.await;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** A Redis Cluster of three masters, run by the program that a {@link LocalRedis} runs. */
final class LocalCluster implements AutoCloseable {

    private static final int NODES = 3;

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Path folder;
    private final List<Process> processes = new ArrayList<>();
    private final List<HostAndPort> nodes = new ArrayList<>();

    private LocalCluster(Path folder) {
        this.folder = folder;
    }

    static LocalCluster start(LocalRedis like) throws Exception {
        LocalCluster cluster = new LocalCluster(Files.createTempDirectory("driver-redis-cluster-"));
        boolean ready = false;
        try {
            // The second one of each pair is for the nodes among themselves.
            List<Integer> ports = LocalPorts.free(ListenAddress.LOOPBACK, 2 * NODES, 0);
            for (int i = 0; i < NODES; i++) {
                cluster.startNode(like.program(), ports.get(2 * i), ports.get(2 * i + 1));
            }
            cluster.join(ports);
            ready = true;
            return cluster;
        } finally {
            if (!ready) {
                cluster.close();
            }
        }
    }

    private void startNode(Path program, int port, int busPort) throws IOException {
        Path data = Files.createDirectory(folder.resolve("node-" + port));
        ProcessBuilder builder = new ProcessBuilder(
                        program.toString(),
                        "--bind",
                        ListenAddress.LOOPBACK.host(),
                        "--port",
                        Integer.toString(port),
                        "--cluster-enabled",
                        "yes",
                        "--cluster-port",
                        Integer.toString(busPort),
                        "--save",
                        "",
                        "--dir",
                        data.toString())
                .redirectErrorStream(true)
                .redirectOutput(data.resolve("log").toFile());
        // Beside a program that was unpacked lie the libraries it needs.
        try (Stream<Path> folders = Files.list(program.resolveSibling("../lib").normalize())) {
            folders.filter(lib -> lib.getFileName().toString().endsWith("-linux-gnu"))
                    .forEach(lib -> builder.environment().put("LD_LIBRARY_PATH", lib.toString()));
        }
        processes.add(builder.start());
        nodes.add(new HostAndPort(ListenAddress.LOOPBACK.host(), port));
    }

    private void join(List<Integer> ports) {
        nodes.forEach(LocalCluster::awaitAnswer);
        int slots = Protocol.CLUSTER_HASHSLOTS;
        for (int i = 0; i < NODES; i++) {
            try (Jedis jedis = new Jedis(nodes.get(i))) {
                jedis.clusterAddSlotsRange(slots * i / NODES, slots * (i + 1) / NODES - 1);
                jedis.sendCommand(
                        Protocol.Command.CLUSTER,
                        "MEET",
                        ListenAddress.LOOPBACK.host(),
                        Integer.toString(ports.get(0)),
                        Integer.toString(ports.get(1)));
            }
        }
        for (HostAndPort node : nodes) {
            try (Jedis jedis = new Jedis(node)) {
                await("the cluster to be complete for " + node).atMost(LIMIT).until(() -> {
                    String info = jedis.clusterInfo();
                    return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:" + NODES);
                });
            }
        }
    }

    private static void awaitAnswer(HostAndPort node) {
        await("an answer of " + node)
                .atMost(LIMIT)
                .ignoreExceptionsInstanceOf(JedisConnectionException.class)
                .until(() -> {
                    try (Jedis jedis = new Jedis(node)) {
                        return jedis.ping().equals("PONG");
                    }
                });
    }

    List<String> addresses() {
        return nodes.stream().map(HostAndPort::toString).toList();
    }

    @Override
    public void close() throws IOException {
        for (Process process : processes) {
            process.destroyForcibly()
                    .onExit()
                    .orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS)
                    .join();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
