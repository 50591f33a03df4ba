package io.openmessaging.benchmark.broker.rocketmq;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The ports of a name server and its brokers.
 *
 * @param address where all of them listen, except for replication
 * @param nameServer where clients look up the brokers
 * @param grpc where the broker serves gRPC if there is only one
 * @param controller where brokers look up their master if there are several
 * @param brokers the ports of each broker
 */
record ServerPorts(ListenAddress address, int nameServer, int grpc, int controller, List<BrokerPorts> brokers) {

    /** The port on which gRPC clients look for RocketMQ's proxy by default. */
    static final int USUAL_GRPC_PORT = 8081;

    /** Fixed by RocketMQ. */
    private static final int VIP_DISTANCE = 2;

    private static final int ATTEMPTS = 50;

    /** Number of ports for name server, gRPC and controller. */
    private static final int COMMON = 3;

    /**
     * The ports of a broker.
     *
     * @param clients where it serves clients; it also uses the port two below this one, for the traffic that clients
     *     call VIP
     * @param replication where it sends its messages to replicas if there are any
     */
    record BrokerPorts(int clients, int replication) {

        private int vip() {
            return clients - VIP_DISTANCE;
        }
    }

    /**
     * Returns free ports.
     *
     * @param address where clients reach the servers
     * @param firstPort the port of the name server, or 0 for any; if given, gRPC uses its default port unless that is
     *     taken
     * @param count the number of brokers
     */
    static ServerPorts free(ListenAddress address, int firstPort, int count) throws LocalBrokerException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            List<Integer> ports = LocalPorts.free(address, COMMON + 2 * count, firstPort, Map.of(1, USUAL_GRPC_PORT));
            List<BrokerPorts> brokers = new ArrayList<>();
            for (int i = COMMON; i < ports.size(); i += 2) {
                brokers.add(new BrokerPorts(ports.get(i), ports.get(i + 1)));
            }
            if (areVipFree(address, ports, brokers)) {
                return new ServerPorts(address, ports.get(0), ports.get(1), ports.get(2), brokers);
            }
        }
        throw new LocalBrokerException("cannot find two free ports for each broker on " + address.host());
    }

    private static boolean areVipFree(ListenAddress address, List<Integer> ports, List<BrokerPorts> brokers) {
        HashSet<Integer> taken = new HashSet<>(ports);
        return brokers.stream().allMatch(broker -> taken.add(broker.vip()) && LocalPorts.isFree(address, broker.vip()));
    }

    /** Returns the ports of the name server, of gRPC, of the controller and of all brokers. */
    List<Integer> all() {
        return Stream.concat(
                        Stream.of(nameServer, grpc, controller),
                        brokers.stream()
                                .flatMap(broker -> Stream.of(broker.clients(), broker.vip(), broker.replication())))
                .toList();
    }

    String nameServerAddress() {
        return address.withPort(nameServer);
    }

    String grpcAddress() {
        return address.withPort(grpc);
    }

    String controllerAddress() {
        return address.withPort(controller);
    }
}
