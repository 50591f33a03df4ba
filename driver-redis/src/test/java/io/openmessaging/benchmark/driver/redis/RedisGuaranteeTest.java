package io.openmessaging.benchmark.driver.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;
import io.openmessaging.benchmark.driver.redis.link.AcknowledgeAfter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedisGuaranteeTest {

    private static final RedisConfig STREAM = Configs.of(Map.of("mode", RedisMode.STREAM));
    private static final RedisConfig LIST = Configs.of(Map.of("mode", RedisMode.LIST));

    private static final Map<String, Object> CLUSTER = Map.of("clusterAddresses", List.of("a:1"));
    private static final Map<String, Object> SENTINELS = Map.of("sentinels", List.of("a:1"));

    /** Settings of a primary with a replica that syncs each write. */
    private static final Map<String, String> ALWAYS = Map.of(
            "appendonly", "yes", "appendfsync", "always", "no-appendfsync-on-rewrite", "no", BrokerInfo.REPLICAS, "1");

    private static RedisConfig acknowledgedAfter(int replicas, boolean aof, Map<String, Object> keys) {
        Map<String, Object> all = new HashMap<>(keys);
        all.put("acknowledgeAfter", new AcknowledgeAfter(replicas, aof, Duration.ofSeconds(1)));
        return Configs.of(all);
    }

    @Test
    void whatIsAwaitedIsPromised() {
        Map<String, String> one = Map.of("appendonly", "yes", "appendfsync", "everysec", BrokerInfo.REPLICAS, "1");
        assertThat(RedisGuarantee.of(acknowledgedAfter(1, true, Map.of()), one))
                .isEqualTo(new Guarantee(2, 2, Storage.SYNCED, Consumption.ACKNOWLEDGED, Order.PARTITION));
        assertThat(RedisGuarantee.of(acknowledgedAfter(1, false, Map.of()), one).note())
                .isEqualTo("this applies to the primary's copy; the replicas' copies may be in memory");
    }

    @Test
    void aPrimaryInMemoryRestartsEmptyAndItsReplicasCopyThat() {
        Map<String, String> two = Map.of("appendonly", "no", BrokerInfo.REPLICAS, "2");
        for (Map<String, Object> keys : List.of(Map.<String, Object>of(), CLUSTER, SENTINELS)) {
            assertThat(RedisGuarantee.of(acknowledgedAfter(2, false, keys), two))
                    .returns(3, Guarantee::copies)
                    .returns(3, Guarantee::acknowledgedCopies)
                    .returns(Storage.MEMORY, Guarantee::storage)
                    .returns(false, Guarantee::survivesKill)
                    .returns(
                            "3 copies, 3 in memory when acknowledged, survives no crash (a primary that restarts is"
                                    + " empty, and its replicas copy that)",
                            Guarantee::inWords);
        }
    }

    @Test
    void whatIsNotAwaitedMayBeMissingAfterAFailover() {
        assertThat(RedisGuarantee.of(Configs.of(CLUSTER), ALWAYS).survivesKill())
                .isFalse();
        assertThat(RedisGuarantee.of(acknowledgedAfter(1, true, CLUSTER), ALWAYS)
                        .survivesPowerCut())
                .isTrue();
        assertThat(RedisGuarantee.of(STREAM, ALWAYS).survivesPowerCut())
                .as("nobody takes over")
                .isTrue();
    }

    @Test
    void theMasterWithTheMostReplicasCounts() {
        Map<String, String> uneven = new HashMap<>(ALWAYS);
        uneven.put(BrokerInfo.MOST_REPLICAS, "2");
        assertThat(RedisGuarantee.of(acknowledgedAfter(1, true, CLUSTER), uneven))
                .returns(2, Guarantee::copies)
                .returns(false, Guarantee::survivesKill);
        uneven.remove(BrokerInfo.REPLICAS);
        assertThat(RedisGuarantee.of(Configs.of(CLUSTER), uneven).survivesKill())
                .as("one master has no replica, another one has two")
                .isFalse();
    }

    @Test
    void aReplicaThatTakesOverMayNotHaveSyncedWhatItHas() {
        for (Map<String, Object> keys : List.of(CLUSTER, SENTINELS)) {
            assertThat(RedisGuarantee.of(acknowledgedAfter(1, false, keys), ALWAYS))
                    .returns(Storage.SYNCED_ONCE, Guarantee::storage)
                    .returns(true, Guarantee::survivesKill)
                    .returns(false, Guarantee::survivesPowerCut)
                    .returns(
                            "this applies to the primary's copy; the replicas' copies may be in memory",
                            Guarantee::note);
        }
    }

    @Test
    void syncsThatARewriteSkipsAreNotPromised() {
        Map<String, String> skipping = new HashMap<>(ALWAYS);
        skipping.put("no-appendfsync-on-rewrite", "yes");
        assertThat(RedisGuarantee.of(STREAM, skipping))
                .returns(Storage.WRITTEN, Guarantee::storage)
                .returns(false, Guarantee::survivesPowerCut);
        assertThat(RedisGuarantee.of(STREAM, skipping).note()).contains("no-appendfsync-on-rewrite");
        assertThat(RedisGuarantee.of(acknowledgedAfter(1, true, Map.of()), skipping)
                        .storage())
                .as("WAITAOF waits for the sync")
                .isEqualTo(Storage.SYNCED);
        skipping.remove("no-appendfsync-on-rewrite");
        assertThat(RedisGuarantee.of(STREAM, skipping).storage())
                .as("a server that does not report the setting")
                .isEqualTo(Storage.WRITTEN);
    }

    @Test
    void theWeakestMasterCounts() {
        Map<String, String> other = new HashMap<>(ALWAYS);
        other.put("appendfsync", "everysec");
        assertThat(RedisGuarantee.of(STREAM, BrokerInfo.together(List.of(ALWAYS, other)))
                        .storage())
                .isEqualTo(Storage.WRITTEN);
        other.put("appendonly", "no");
        assertThat(RedisGuarantee.of(STREAM, BrokerInfo.together(List.of(ALWAYS, other)))
                        .storage())
                .isEqualTo(Storage.MEMORY);
    }

    @Test
    void whoeverMayNotReadTheSettingsDoesNotKnow() {
        assertThat(RedisGuarantee.of(STREAM, Map.of()).storage()).isEqualTo(Storage.UNKNOWN);
        assertThat(RedisGuarantee.of(STREAM, Map.of()).inWords())
                .endsWith("survives no crash (the user is not permitted to read the server's settings; messages may be"
                        + " in memory only)");
    }

    @Test
    void syncedEachSecondIsNotSynced() {
        Map<String, String> eachSecond = Map.of("appendonly", "yes", "appendfsync", "everysec");
        assertThat(RedisGuarantee.of(LIST, eachSecond).survivesPowerCut()).isFalse();
        assertThat(RedisGuarantee.of(LIST, eachSecond).note()).contains("two seconds");
    }
}
