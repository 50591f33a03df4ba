package io.openmessaging.benchmark.broker.rocketmq;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.launch.LoopbackPorts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ports of a name server and a broker.
 *
 * @param nameServer where clients ask for the way to the broker
 * @param broker where the broker serves clients; it takes the port two below this one as well, for the traffic that
 *     clients call VIP
 * @param grpc where it speaks gRPC
 */
record ServerPorts(int nameServer, int broker, int grpc) {

    /** Where gRPC clients look for RocketMQ's proxy. */
    static final int USUAL_GRPC_PORT = 8081;

    /** Given by RocketMQ. */
    private static final int VIP_DISTANCE = 2;

    private static final int ATTEMPTS = 50;

    /**
     * Free ports.
     *
     * @param firstPort that of the name server, or 0 for any; if given, gRPC gets its usual port unless that is taken
     */
    static ServerPorts free(int firstPort) throws LocalBrokerException {
        int nameServer = LoopbackPorts.free(1, firstPort).get(0);
        int grpc = firstPort > 0 && LoopbackPorts.isFree(USUAL_GRPC_PORT) ? USUAL_GRPC_PORT : freeBeside(nameServer);
        @Nullable LocalBrokerException last = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int broker = LoopbackPorts.free(1, 0).get(0);
            int vip = broker - VIP_DISTANCE;
            if (!List.of(vip, broker).contains(nameServer)
                    && !List.of(vip, broker).contains(grpc)) {
                try {
                    LoopbackPorts.free(1, vip);
                    return new ServerPorts(nameServer, broker, grpc);
                } catch (LocalBrokerException e) {
                    last = e;
                }
            }
        }
        throw new LocalBrokerException("found no two free ports for the broker on " + LoopbackPorts.HOST, last);
    }

    private static int freeBeside(int other) throws LocalBrokerException {
        return LoopbackPorts.free(2, 0).stream()
                .filter(port -> port != other)
                .findFirst()
                .orElseThrow();
    }

    String nameServerAddress() {
        return LoopbackPorts.HOST + ":" + nameServer;
    }

    String grpcAddress() {
        return LoopbackPorts.HOST + ":" + grpc;
    }
}
