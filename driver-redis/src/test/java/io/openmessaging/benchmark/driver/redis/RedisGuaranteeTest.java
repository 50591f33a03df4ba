package io.openmessaging.benchmark.driver.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Guarantee.Storage;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedisGuaranteeTest {

    @Test
    void whoeverMayNotReadTheSettingsDoesNotKnow() {
        assertThat(RedisGuarantee.of(RedisMode.STREAM, Map.of()).storage()).isEqualTo(Storage.UNKNOWN);
        assertThat(RedisGuarantee.of(RedisMode.STREAM, Map.of()).inWords())
                .endsWith("(the user may not read the server's settings)");
    }

    @Test
    void syncedEachSecondIsNotSynced() {
        Map<String, String> eachSecond = Map.of("appendonly", "yes", "appendfsync", "everysec");
        assertThat(RedisGuarantee.of(RedisMode.LIST, eachSecond).survivesPowerCut())
                .isFalse();
        assertThat(RedisGuarantee.of(RedisMode.LIST, eachSecond).note()).contains("two seconds");
    }
}
