package io.openmessaging.benchmark.driver.nats;

import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class NatsGuaranteeTest {

    private static final Duration ALWAYS = Duration.ZERO;
    private static final Duration DEFAULT = Duration.ofMinutes(2);

    @Test
    void byDefaultAnAcknowledgedMessageDoesNotSurviveAPowerCut() {
        Guarantee guarantee = NatsGuarantee.of(List.of(stream(3, StorageType.File)), List.of(DEFAULT, DEFAULT), true);

        assertThat(guarantee.survivesKill()).isTrue();
        assertThat(guarantee.survivesPowerCut()).isFalse();
        assertThat(guarantee.inWords())
                .isEqualTo("3 copies, 2 written but not synced when acknowledged, survives a killed process (synced"
                        + " every 2 min, as sync_interval says)");
    }

    @Test
    void withASyncBeforeEachAnswerItDoes() {
        Guarantee guarantee = NatsGuarantee.of(List.of(stream(3, StorageType.File)), List.of(ALWAYS, ALWAYS), true);

        assertThat(guarantee.inWords())
                .isEqualTo("3 copies, 2 synced to the disk when acknowledged, survives a power cut");
    }

    @Test
    void theServerThatSyncsLeastOftenCounts() {
        Guarantee guarantee =
                NatsGuarantee.of(List.of(stream(1, StorageType.File)), List.of(ALWAYS, Duration.ofSeconds(1)), true);

        assertThat(guarantee.storage()).isEqualTo(Guarantee.Storage.WRITTEN);
        assertThat(guarantee.note()).isEqualTo("synced every 1 s, as sync_interval says");
    }

    @Test
    void withoutAMonitoringEndpointItIsNotKnown() {
        Guarantee guarantee = NatsGuarantee.of(List.of(stream(1, StorageType.File)), List.of(), true);

        assertThat(guarantee.storage()).isEqualTo(Guarantee.Storage.UNKNOWN);
        assertThat(guarantee.survivesKill()).isTrue();
        assertThat(guarantee.survivesPowerCut()).isFalse();
    }

    @Test
    void memoryOfOneServerSurvivesNothingAndThatOfAMajorityAKill() {
        assertThat(ofMemory(1).survivesKill()).isFalse();
        assertThat(ofMemory(3).survivesKill()).isTrue();
        assertThat(ofMemory(3).survivesPowerCut()).isFalse();
    }

    private static Guarantee ofMemory(int copies) {
        return NatsGuarantee.of(List.of(stream(copies, StorageType.Memory)), List.of(ALWAYS), true);
    }

    @Test
    void ofSeveralStreamsTheWeakestCounts() {
        Guarantee guarantee = NatsGuarantee.of(
                List.of(stream(3, StorageType.Memory), stream(1, StorageType.File)), List.of(ALWAYS), true);

        assertThat(guarantee.copies()).isEqualTo(1);
        assertThat(guarantee.storage()).isEqualTo(Guarantee.Storage.MEMORY);
    }

    @Test
    void subjectsKeepNothing() {
        assertThat(NatsGuarantee.OF_SUBJECTS.inWords()).isEqualTo("no copy is kept, survives no crash");
    }

    @Test
    void withoutAcknowledgementsAMessageIsConsumedWhenItIsSent() {
        assertThat(NatsGuarantee.of(List.of(stream(1, StorageType.File)), List.of(ALWAYS), false)
                        .consumption())
                .isEqualTo(Consumption.AUTOMATIC);
    }

    private static StreamConfiguration stream(int copies, StorageType storage) {
        return StreamConfiguration.builder()
                .name("s")
                .replicas(copies)
                .storageType(storage)
                .build();
    }
}
