package io.openmessaging.benchmark.driver.nats;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.nats.NatsConfig.NatsMode;
import io.openmessaging.benchmark.driver.nats.NatsConfig.Storage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NatsGuaranteeTest {

    private static final Duration ALWAYS = Duration.ZERO;
    private static final Duration DEFAULT = Duration.ofMinutes(2);

    @Test
    void byDefaultAnAcknowledgedMessageDoesNotSurviveAPowerCut() {
        Guarantee guarantee = NatsGuarantee.of(Configs.of(Map.of("replicationFactor", 3)), List.of(DEFAULT, DEFAULT));

        assertThat(guarantee.survivesKill()).isTrue();
        assertThat(guarantee.survivesPowerCut()).isFalse();
        assertThat(guarantee.inWords())
                .isEqualTo("3 copies, 2 written but not synced when acknowledged, survives a killed process (synced"
                        + " every 2 min, as sync_interval says)");
    }

    @Test
    void withASyncBeforeEachAnswerItDoes() {
        Guarantee guarantee = NatsGuarantee.of(Configs.of(Map.of("replicationFactor", 3)), List.of(ALWAYS, ALWAYS));

        assertThat(guarantee.inWords())
                .isEqualTo("3 copies, 2 synced to the disk when acknowledged, survives a power cut");
    }

    @Test
    void theServerThatSyncsLeastOftenCounts() {
        Guarantee guarantee = NatsGuarantee.of(Configs.of(Map.of()), List.of(ALWAYS, Duration.ofSeconds(1)));

        assertThat(guarantee.storage()).isEqualTo(Guarantee.Storage.WRITTEN);
        assertThat(guarantee.note()).isEqualTo("synced every 1 s, as sync_interval says");
    }

    @Test
    void withoutAMonitoringEndpointItIsNotKnown() {
        Guarantee guarantee = NatsGuarantee.of(Configs.of(Map.of()), List.of());

        assertThat(guarantee.storage()).isEqualTo(Guarantee.Storage.UNKNOWN);
        assertThat(guarantee.survivesKill()).isTrue();
        assertThat(guarantee.survivesPowerCut()).isFalse();
    }

    @Test
    void memoryOfOneServerSurvivesNothingAndThatOfAMajorityAKill() {
        Map<String, Object> memory = Map.of("storage", Storage.MEMORY);
        Map<String, Object> three = Map.of("storage", Storage.MEMORY, "replicationFactor", 3);

        assertThat(NatsGuarantee.of(Configs.of(memory), List.of(ALWAYS)).survivesKill())
                .isFalse();
        assertThat(NatsGuarantee.of(Configs.of(three), List.of(ALWAYS)).survivesKill())
                .isTrue();
        assertThat(NatsGuarantee.of(Configs.of(three), List.of(ALWAYS)).survivesPowerCut())
                .isFalse();
    }

    @Test
    void subjectsKeepNothing() {
        Guarantee guarantee = NatsGuarantee.of(Configs.of(Map.of("mode", NatsMode.CORE)), List.of(ALWAYS));

        assertThat(guarantee.inWords()).isEqualTo("no copy is kept, survives no crash");
    }

    @Test
    void withoutAcknowledgementsAMessageIsConsumedWhenItIsSent() {
        assertThat(NatsGuarantee.of(Configs.of(Map.of("acknowledge", false)), List.of(ALWAYS))
                        .consumption())
                .isEqualTo(Consumption.AUTOMATIC);
    }
}
