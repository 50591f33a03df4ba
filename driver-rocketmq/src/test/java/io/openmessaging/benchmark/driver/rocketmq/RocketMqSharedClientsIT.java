package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.RocketMqSharedClients;
import io.openmessaging.benchmark.suite.Variant;
import java.util.Map;

/** Tests the contract with producers and consumers that share clients. */
@Variant
class RocketMqSharedClientsIT extends RocketMqRemotingIT {

    @Override
    Map<String, ?> keys() {
        return Map.of("sharedClients", new RocketMqSharedClients(2, 2));
    }
}
