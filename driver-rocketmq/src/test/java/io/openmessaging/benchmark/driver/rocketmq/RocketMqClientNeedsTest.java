package io.openmessaging.benchmark.driver.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.ProcessNeeds;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.Protocol;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.RocketMqSharedClients;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RocketMqClientNeedsTest {

    private static ProcessNeeds needs(Map<String, ?> keys) {
        return RocketMqClientNeeds.of(TestConfigs.of(keys), 3000, 3000);
    }

    @Test
    void anInstanceEachTakesThreadsAndSocketsEach() {
        ProcessNeeds needs = needs(Map.of());
        assertThat(needs.threads()).isEqualTo(6000 * 8 + 3000 * 2);
        assertThat(needs.descriptors()).isEqualTo(6000 * 5);
        assertThat(needs.remedy()).startsWith("set sharedClients");
    }

    @Test
    void sharedInstancesCountOnceAndConsumersHaveTheirOwnThreads() {
        ProcessNeeds needs = needs(Map.of("sharedClients", new RocketMqSharedClients(4, 32)));
        assertThat(needs.threads()).isEqualTo(36 * 8 + 3000 * 2);
        assertThat(needs.descriptors()).isEqualTo(36 * 5);
        assertThat(needs.remedy()).startsWith("use fewer consumers");
    }

    @Test
    void clientsByGrpcShareNothing() {
        ProcessNeeds needs = needs(Map.of("protocol", Protocol.GRPC));
        assertThat(needs.threads()).isEqualTo(6000 * 6);
        assertThat(needs.remedy()).startsWith("use protocol: REMOTING");
    }
}
