package io.openmessaging.benchmark.broker.pulsar;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.launch.LoopbackPorts;
import java.util.List;

/**
 * Where the process listens, all on loopback.
 *
 * @param client Pulsar's own protocol
 * @param http administration
 * @param bookie the bookie, if it is the only one; several choose theirs themselves
 */
record StandalonePorts(int client, int http, int bookie) {

    /**
     * Finds free ones.
     *
     * @param firstPort the port for the clients, or 0 for any
     * @param usualHttpPort taken if it is free and the clients' port was chosen
     */
    static StandalonePorts free(int firstPort, int usualHttpPort) throws LocalBrokerException {
        List<Integer> ports = LoopbackPorts.free(3, firstPort);
        int http = firstPort > 0 && firstPort != usualHttpPort && LoopbackPorts.isFree(usualHttpPort)
                ? usualHttpPort
                : ports.get(1);
        return new StandalonePorts(ports.get(0), http, ports.get(2));
    }
}
