package io.openmessaging.benchmark.driver.rocketmq;

import java.util.Map;

/** The contract with producers and consumers that share clients. */
class RocketMqSharedClientsIT extends RocketMqRemotingIT {

    @Override
    Map<String, ?> keys() {
        return Map.of("sharedClients", new SharedClients(2, 2));
    }
}
