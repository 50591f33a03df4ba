package io.openmessaging.benchmark.driver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KafkaGuaranteeTest {

    private static Guarantee guarantee(
            @Nullable Integer replicas, String topic, String producer, String consumer, Map<String, String> broker) {
        KafkaConfig config = new KafkaConfig(replicas, topic, "", producer, consumer, false);
        return new KafkaGuarantee(config, ClientProperties.of(config, "run", null)).of(broker);
    }

    @Test
    void acksDecideHowManyCopiesThereAreWhenAMessageIsAcknowledged() {
        String twoInSync = "min.insync.replicas=2";
        assertThat(guarantee(3, twoInSync, "acks=all", "", Map.of()))
                .isEqualTo(new Guarantee(3, 2, Storage.WRITTEN, Consumption.ACKNOWLEDGED, Order.PARTITION));
        assertThat(guarantee(3, twoInSync, "", "", Map.of()).acknowledgedCopies())
                .isEqualTo(2);
        assertThat(guarantee(3, twoInSync, "acks=1", "", Map.of()).acknowledgedCopies())
                .isEqualTo(1);
        assertThat(guarantee(3, twoInSync, "acks=0", "", Map.of()).acknowledgedCopies())
                .isZero();
        assertThat(guarantee(1, twoInSync, "acks=-1", "", Map.of()).acknowledgedCopies())
                .isEqualTo(1);
    }

    @Test
    void withOneAcknowledgementOfSeveralCopiesNoCrashIsSurvived() {
        Guarantee leaderOnly = guarantee(3, "flush.messages=1", "acks=1", "", Map.of());
        assertThat(leaderOnly.survivesKill()).isFalse();
        assertThat(leaderOnly.survivesPowerCut()).isFalse();
        assertThat(leaderOnly.inWords())
                .isEqualTo("3 copies, 1 synced to the disk when acknowledged, survives no crash (a follower that lacks"
                        + " the last messages may become the leader)");
        // All in-sync replicas have the message, and only these become leaders.
        assertThat(guarantee(3, "min.insync.replicas=1", "acks=all", "", Map.of())
                        .survivesKill())
                .isTrue();
        assertThat(guarantee(1, "", "acks=1", "", Map.of()).survivesKill()).isTrue();
    }

    @Test
    void whatTheTopicLeavesOpenTheBrokerDecides() {
        Map<String, String> broker = Map.of(
                "default.replication.factor", "3", "min.insync.replicas", "2", "log.flush.interval.messages", "1");
        assertThat(guarantee(null, "", "acks=all", "enable.auto.commit=true", broker))
                .isEqualTo(new Guarantee(3, 2, Storage.SYNCED, Consumption.AUTOMATIC, Order.PARTITION));
        assertThat(guarantee(null, "flush.messages=1000", "acks=all", "", broker)
                        .storage())
                .isEqualTo(Storage.WRITTEN);
        assertThat(guarantee(null, "", "acks=all", "", Map.of()))
                .isEqualTo(new Guarantee(1, 1, Storage.WRITTEN, Consumption.ACKNOWLEDGED, Order.PARTITION));
    }
}
