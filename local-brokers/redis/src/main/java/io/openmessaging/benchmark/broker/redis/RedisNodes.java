package io.openmessaging.benchmark.broker.redis;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.fetch.NativeProgram;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import io.openmessaging.benchmark.broker.launch.NativeNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The processes of one local broker, before their start.
 *
 * @param name the name of the local broker, a prefix of the names of nodes
 * @param program the server; a sentinel is the same program
 */
record RedisNodes(
        String name,
        NativeProgram program,
        RedisLayout layout,
        RedisConfiguration configuration,
        Ports ports,
        LocalBrokerOptions options) {

    /** Variables that would change the allocator without showing in the settings that are kept with a result. */
    private static final Set<String> REMOVED_VARIABLES = Set.of("MALLOC_CONF");

    /**
     * The ports of the processes.
     *
     * @param buses ports of the nodes of a cluster for each other
     */
    record Ports(List<Integer> servers, List<Integer> buses, List<Integer> sentinels) {

        List<Integer> all() {
            return Stream.of(servers, buses, sentinels).flatMap(List::stream).toList();
        }

        /** Returns free ports; the first server has the port that the user wants. */
        static Ports free(RedisLayout layout, LocalBrokerOptions options) throws LocalBrokerException {
            int nodes = layout.nodes();
            int buses = layout.isCluster() ? nodes : 0;
            List<Integer> all = LocalPorts.free(
                    options.place().address(),
                    nodes + buses + layout.sentinels(),
                    options.place().firstPort());
            return new Ports(
                    all.subList(0, nodes), all.subList(nodes, nodes + buses), all.subList(nodes + buses, all.size()));
        }
    }

    /** Starts all processes without waiting for them. */
    void start(BrokerLaunch launch) throws LocalBrokerException, InterruptedException {
        for (int i = 0; i < layout.nodes(); i++) {
            startServer(launch, i);
        }
        for (int i = 0; i < layout.sentinels(); i++) {
            String node = name + "-sentinel-" + (i + 1);
            int primaryPort = ports.servers().get(0);
            String text = configuration.sentinelText(
                    address(),
                    ports.sentinels().get(i),
                    launch.folder(node + "/" + BrokerLaunch.DATA),
                    primaryPort,
                    layout.sentinels());
            Path file = launch.write(node, "sentinel.conf", text);
            launch.start(node(node, program.commandLine(file.toString(), "--sentinel")));
        }
    }

    private void startServer(BrokerLaunch launch, int index) throws LocalBrokerException, InterruptedException {
        String node = name + "-" + (index + 1);
        int port = ports.servers().get(index);
        String text = configuration.text(address(), port, launch.folder(node + "/" + BrokerLaunch.DATA));
        text += RedisConfiguration.securityText(launch.credentials(), port);
        if (layout.isCluster()) {
            text += RedisConfiguration.clusterText(ports.buses().get(index));
        } else if (layout.isReplica(index)) {
            text += RedisConfiguration.replicaText(address(), ports.servers().get(0));
        }
        Path file = launch.write(node, "redis.conf", text);
        NativeNode server = node(node, program.commandLine(file.toString()));
        if (layout.isReplaceable(index)) {
            launch.start(server);
        } else {
            launch.startIndispensable(server);
        }
    }

    private ListenAddress address() {
        return options.place().address();
    }

    private static NativeNode node(String name, List<String> command) {
        return new NativeNode(name, command, Map.of(), REMOVED_VARIABLES, Duration.ZERO);
    }
}
