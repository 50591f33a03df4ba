package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.ProcessNeeds;

/**
 * What RocketMQ's clients take of a process, with one broker, once each has sent or received something: more brokers are more
 * connections. From the client's code, and at the low end; {@code ManyTopicsIT} holds the threads of shared remoting clients
 * against those that it finds.
 */
final class RocketMqClientNeeds {

    /** Of an instance: timers, Netty's and those that pull and deal queues out. */
    private static final int THREADS_OF_INSTANCE = 8;

    /** Of an instance: a selector, and connections to a name server and to a broker. */
    private static final int DESCRIPTORS_OF_INSTANCE = 5;

    /** Of a consumer beside those of its instance: one that delivers, one that looks for messages that take too long. */
    private static final int THREADS_OF_CONSUMER = 2;

    /** Of a client by gRPC: one that delivers, timers, and those that wait for answers. */
    private static final int THREADS_OF_GRPC_CLIENT = 6;

    /** Of a client by gRPC: a connection. */
    private static final int DESCRIPTORS_OF_GRPC_CLIENT = 1;

    private static final String SHARE =
            "set sharedClients in the driver file, with which they share connections and threads";

    private RocketMqClientNeeds() {}

    /** Of all clients of a process. */
    static ProcessNeeds of(RocketMqConfig config, int producers, int consumers) {
        long clients = (long) producers + consumers;
        if (config.protocol() == Protocol.GRPC) {
            return new ProcessNeeds(
                    THREADS_OF_GRPC_CLIENT * clients,
                    DESCRIPTORS_OF_GRPC_CLIENT * clients,
                    "take protocol: REMOTING and " + SHARE);
        }
        RocketMqSharedClients shared = config.sharedClients();
        long instances = shared == null
                ? clients
                : Math.min(producers, shared.producers()) + Math.min(consumers, shared.consumers());
        return new ProcessNeeds(
                THREADS_OF_INSTANCE * instances + (long) THREADS_OF_CONSUMER * consumers,
                DESCRIPTORS_OF_INSTANCE * instances,
                shared == null ? SHARE : "have fewer consumers, each of which has its own threads");
    }
}
