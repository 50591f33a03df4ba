package io.openmessaging.benchmark.driver.kafka;

/** The contract with producers and consumers that share clients. */
class SharedClientsContractIT extends KafkaDriverIT {

    @Override
    SharedClients sharedClients() {
        return new SharedClients(2, 2);
    }
}
