package io.openmessaging.benchmark.broker.rocketmq;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import java.util.List;
import java.util.Map;

/**
 * The ports of a name server and a broker.
 *
 * @param address where all of them listen
 * @param nameServer where clients ask for the way to the broker
 * @param broker where the broker serves clients; it takes the port two below this one as well, for the traffic that
 *     clients call VIP
 * @param grpc where it speaks gRPC
 */
record ServerPorts(ListenAddress address, int nameServer, int broker, int grpc) {

    /** Where gRPC clients look for RocketMQ's proxy. */
    static final int USUAL_GRPC_PORT = 8081;

    /** Given by RocketMQ. */
    private static final int VIP_DISTANCE = 2;

    private static final int ATTEMPTS = 50;

    /**
     * Free ports.
     *
     * @param address where clients reach the servers
     * @param firstPort that of the name server, or 0 for any; if given, gRPC gets its usual port unless that is taken
     */
    static ServerPorts free(ListenAddress address, int firstPort) throws LocalBrokerException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            List<Integer> ports = LocalPorts.free(address, 3, firstPort, Map.of(1, USUAL_GRPC_PORT));
            int vip = ports.get(2) - VIP_DISTANCE;
            if (!ports.contains(vip) && LocalPorts.isFree(address, vip)) {
                return new ServerPorts(address, ports.get(0), ports.get(2), ports.get(1));
            }
        }
        throw new LocalBrokerException("found no two free ports for the broker on " + address.host());
    }

    String nameServerAddress() {
        return address.withPort(nameServer);
    }

    String grpcAddress() {
        return address.withPort(grpc);
    }
}
