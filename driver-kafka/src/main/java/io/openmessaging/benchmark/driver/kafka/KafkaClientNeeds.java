package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.ProcessNeeds;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.KafkaSharedClients;

/** Threads and file descriptors that Kafka's clients need with one broker; more brokers mean more connections. */
final class KafkaClientNeeds {

    /** The client's sending thread. */
    private static final int THREADS_OF_PRODUCER = 1;

    /** This driver's polling thread, and the client's own thread for the group. */
    private static final int THREADS_OF_CONSUMER = 2;

    /** A selector needs two on Linux; the connections go to the address in the file and to the broker's node. */
    private static final int DESCRIPTORS_OF_PRODUCER = 4;

    /** One more connection, to the group's coordinator. */
    private static final int DESCRIPTORS_OF_CONSUMER = 5;

    private KafkaClientNeeds() {}

    /** Needs of all clients of a process. */
    static ProcessNeeds of(KafkaConfig config, int producers, int consumers, boolean consumersBlock) {
        KafkaSharedClients shared = config.sharedClients();
        long forProducers = shared == null ? producers : Math.min(producers, shared.producers());
        // Consumers that block have a client each. The number of subscriptions is unknown here, but at least one.
        long forConsumers = shared == null || consumersBlock ? consumers : Math.min(consumers, shared.consumers());
        long committers = config.transaction() == null ? 0 : forProducers;
        return new ProcessNeeds(
                THREADS_OF_PRODUCER * forProducers + THREADS_OF_CONSUMER * forConsumers + committers,
                DESCRIPTORS_OF_PRODUCER * forProducers + DESCRIPTORS_OF_CONSUMER * forConsumers,
                shared == null
                        ? "set sharedClients in the driver file, so that they share clients"
                        : "lower the numbers of sharedClients");
    }
}
