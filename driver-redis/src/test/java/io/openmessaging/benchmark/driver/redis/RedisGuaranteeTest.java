package io.openmessaging.benchmark.driver.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.redis.link.AcknowledgeAfter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedisGuaranteeTest {

    private static final RedisConfig STREAM = Configs.of(Map.of("mode", RedisMode.STREAM));
    private static final RedisConfig LIST = Configs.of(Map.of("mode", RedisMode.LIST));

    private static RedisConfig acknowledgedAfter(int replicas, boolean aof, Map<String, Object> keys) {
        Map<String, Object> all = new HashMap<>(keys);
        all.put("acknowledgeAfter", new AcknowledgeAfter(replicas, aof, Duration.ofSeconds(1)));
        return Configs.of(all);
    }

    @Test
    void whatIsAwaitedIsPromised() {
        Map<String, String> two = Map.of("appendonly", "no", BrokerInfo.REPLICAS, "2");
        assertThat(RedisGuarantee.of(acknowledgedAfter(1, false, Map.of()), two))
                .isEqualTo(new Guarantee(3, 2, Storage.MEMORY, Consumption.ACKNOWLEDGED, Order.PARTITION));
        Map<String, String> one = Map.of("appendonly", "yes", "appendfsync", "everysec", BrokerInfo.REPLICAS, "1");
        assertThat(RedisGuarantee.of(acknowledgedAfter(1, true, Map.of()), one))
                .isEqualTo(new Guarantee(2, 2, Storage.SYNCED, Consumption.ACKNOWLEDGED, Order.PARTITION));
        assertThat(RedisGuarantee.of(acknowledgedAfter(1, false, Map.of()), one).note())
                .isEqualTo("this applies to the primary's copy; the replicas' copies may be in memory");
    }

    @Test
    void whatIsNotAwaitedMayBeMissingAfterAFailover() {
        Map<String, Object> cluster = Map.of("clusterAddresses", List.of("a:1"));
        Map<String, String> one = Map.of("appendonly", "yes", "appendfsync", "always", BrokerInfo.REPLICAS, "1");
        assertThat(RedisGuarantee.of(Configs.of(cluster), one).survivesKill()).isFalse();
        assertThat(RedisGuarantee.of(acknowledgedAfter(1, true, cluster), one).survivesPowerCut())
                .isTrue();
        assertThat(RedisGuarantee.of(STREAM, one).survivesPowerCut())
                .as("nobody takes over")
                .isTrue();
    }

    @Test
    void whoeverMayNotReadTheSettingsDoesNotKnow() {
        assertThat(RedisGuarantee.of(STREAM, Map.of()).storage()).isEqualTo(Storage.UNKNOWN);
        assertThat(RedisGuarantee.of(STREAM, Map.of()).inWords())
                .endsWith("(the user is not permitted to read the server's settings)");
    }

    @Test
    void syncedEachSecondIsNotSynced() {
        Map<String, String> eachSecond = Map.of("appendonly", "yes", "appendfsync", "everysec");
        assertThat(RedisGuarantee.of(LIST, eachSecond).survivesPowerCut()).isFalse();
        assertThat(RedisGuarantee.of(LIST, eachSecond).note()).contains("two seconds");
    }
}
