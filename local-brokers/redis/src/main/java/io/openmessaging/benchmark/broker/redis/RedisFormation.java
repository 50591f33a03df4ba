package io.openmessaging.benchmark.broker.redis;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * Assigns roles to servers that have been started, and waits until the roles are in effect.
 *
 * @param product the name of the system, for messages
 * @param addresses the addresses of the servers, masters first
 * @param busPorts the bus ports of a cluster's nodes; empty without a cluster
 * @param sentinels the addresses of the sentinels
 */
record RedisFormation(
        String product,
        RedisLayout layout,
        List<String> addresses,
        List<Integer> busPorts,
        List<String> sentinels,
        RedisAdminCalls calls) {

    /** It is ready after about 30 ms; the rest is for slow and busy machines. */
    private static final Duration START_LIMIT = Duration.ofSeconds(30);

    /** Number of slots in a cluster, whatever the number of masters. */
    private static final int SLOTS = 16_384;

    private static final String OK = "+OK";

    /** Returns when all servers serve clients and know each other. */
    void awaitReady(BrokerLaunch launch) throws LocalBrokerException, InterruptedException {
        for (String address : addresses) {
            launch.await(product + " to answer at " + address, START_LIMIT, () -> calls.serves(address));
        }
        if (layout.isCluster()) {
            join();
            awaitReplicasChosen(launch);
            launch.await(
                    "the cluster of " + product + " to be complete",
                    START_LIMIT,
                    () -> addresses.stream()
                            .allMatch(address -> calls.answers(address, this::isComplete, "CLUSTER", "INFO")));
        }
        for (int i = layout.masters(); i < layout.nodes(); i++) {
            String replica = addresses.get(i);
            launch.await(
                    "the replica at " + replica + " to catch up with its master",
                    START_LIMIT,
                    () -> calls.answers(
                            replica, info -> info.contains("master_link_status:up"), "INFO", "replication"));
        }
        for (String sentinel : sentinels) {
            String all = "slaves=" + layout.replicas() + ",sentinels=" + sentinels.size();
            launch.await(
                    "the sentinel at " + sentinel + " to know all the others",
                    START_LIMIT,
                    () -> new RedisAdminCalls(List.of(), calls.tls())
                            .answers(sentinel, info -> info.contains(all), "INFO", "sentinel"));
        }
    }

    /** Returns whether a node has found all others of its cluster, and every slot has a node. */
    private boolean isComplete(String clusterInfo) {
        return clusterInfo.contains("cluster_state:ok")
                && clusterInfo.contains("cluster_known_nodes:" + layout.nodes() + "\r");
    }

    /** Forms a cluster in which each master has about the same number of slots. */
    private void join() throws LocalBrokerException {
        InetSocketAddress first = LocalPorts.socketAddress(addresses.get(0));
        int masters = layout.masters();
        try {
            for (int i = 0; i < layout.nodes(); i++) {
                if (i < masters) {
                    String from = Integer.toString(SLOTS * i / masters);
                    String to = Integer.toString(SLOTS * (i + 1) / masters - 1);
                    must(calls.call(addresses.get(i), "CLUSTER", "ADDSLOTSRANGE", from, to));
                }
                must(calls.call(
                        addresses.get(i),
                        "CLUSTER",
                        "MEET",
                        first.getHostString(),
                        Integer.toString(first.getPort()),
                        Integer.toString(busPorts.get(0))));
            }
        } catch (IOException e) {
            throw new LocalBrokerException("cannot make a cluster of the nodes: " + e, e);
        }
    }

    private static void must(String answer) throws IOException {
        if (!answer.equals(OK)) {
            throw new IOException(answer);
        }
    }

    /** Makes each replica copy its master, which is possible once the replica knows that master. */
    private void awaitReplicasChosen(BrokerLaunch launch) throws LocalBrokerException, InterruptedException {
        for (int i = layout.masters(); i < layout.nodes(); i++) {
            String replica = addresses.get(i);
            String master = addresses.get(layout.masterOf(i));
            launch.await(
                    "the node at " + replica + " to copy the one at " + master,
                    START_LIMIT,
                    () -> calls.answers(
                            master,
                            id -> calls.answers(replica, OK::equals, "CLUSTER", "REPLICATE", id),
                            "CLUSTER",
                            "MYID"));
        }
    }
}
