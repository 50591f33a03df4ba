package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.ProcessNeeds;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.Protocol;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.RocketMqSharedClients;

/**
 * Threads and descriptors that RocketMQ's clients need in a process, with one broker, once each client has sent or
 * received something; more brokers need more connections. The numbers come from the client's code and are low
 * estimates; {@code ManyTopicsIT} compares the threads of shared remoting clients with the actual ones.
 */
final class RocketMqClientNeeds {

    /** Threads of an instance: timers, Netty's, and those that pull messages and assign queues. */
    private static final int THREADS_OF_INSTANCE = 8;

    /** Descriptors of an instance: a selector, and connections to a name server and to a broker. */
    private static final int DESCRIPTORS_OF_INSTANCE = 5;

    /**
     * Threads of a consumer besides those of its instance: one that delivers, and one that looks for messages that
     * take too long.
     */
    private static final int THREADS_OF_CONSUMER = 2;

    /** Threads of a gRPC client: one that delivers, timers, and those that wait for answers. */
    private static final int THREADS_OF_GRPC_CLIENT = 6;

    /** Descriptors of a gRPC client: a connection. */
    private static final int DESCRIPTORS_OF_GRPC_CLIENT = 1;

    private static final String SHARE =
            "set sharedClients in the driver file, so that they share connections and threads";

    private RocketMqClientNeeds() {}

    /** Returns the needs of all clients of a process. */
    static ProcessNeeds of(RocketMqConfig config, int producers, int consumers) {
        long clients = (long) producers + consumers;
        if (config.protocol() == Protocol.GRPC) {
            return new ProcessNeeds(
                    THREADS_OF_GRPC_CLIENT * clients,
                    DESCRIPTORS_OF_GRPC_CLIENT * clients,
                    "use protocol: REMOTING and " + SHARE);
        }
        RocketMqSharedClients shared = config.sharedClients();
        long instances = shared == null
                ? clients
                : Math.min(producers, shared.producers()) + Math.min(consumers, shared.consumers());
        return new ProcessNeeds(
                THREADS_OF_INSTANCE * instances + (long) THREADS_OF_CONSUMER * consumers,
                DESCRIPTORS_OF_INSTANCE * instances,
                shared == null ? SHARE : "use fewer consumers, each of which has its own threads");
    }
}
