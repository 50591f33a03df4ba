package io.openmessaging.benchmark.driver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KafkaGuaranteeTest {

    private static final Map<String, String> NEVER_UNCLEAN = Map.of("unclean.leader.election.enable", "false");

    private static Guarantee guarantee(
            @Nullable Integer replicas, String topic, String producer, String consumer, Map<String, String> broker) {
        KafkaConfig config = new KafkaConfig(replicas, topic, "", producer, consumer, false);
        ClientProperties clients = ClientProperties.of(config, "run", null);
        return new KafkaGuarantee(config, clients, new KafkaBenchmarkDriver()).of(broker);
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
        assertThat(guarantee(3, "min.insync.replicas=1", "acks=all", "", NEVER_UNCLEAN)
                        .survivesKill())
                .isTrue();
        assertThat(guarantee(1, "", "acks=1", "", Map.of()).survivesKill()).isTrue();
    }

    @Test
    void anUncleanElectionMayLoseTheOnlyAcknowledgedCopy() {
        String unclean = "unclean.leader.election.enable=true";
        Guarantee leaderOnly = guarantee(3, unclean, "acks=all", "", NEVER_UNCLEAN);
        assertThat(leaderOnly.survivesKill()).isFalse();
        assertThat(leaderOnly.note())
                .isEqualTo("a follower that lacks the last messages may become the leader unless unclean leader"
                        + " election is off");
        assertThat(guarantee(3, "min.insync.replicas=2\n" + unclean, "acks=all", "", NEVER_UNCLEAN)
                        .survivesKill())
                .isTrue();
        assertThat(guarantee(1, unclean, "acks=all", "", NEVER_UNCLEAN).survivesKill())
                .isTrue();
    }

    @Test
    void anUncleanElectionThatTheClusterDoesNotExcludeIsPossible() {
        assertThat(guarantee(3, "", "acks=all", "", Map.of()).survivesKill()).isFalse();
        assertThat(guarantee(3, "unclean.leader.election.enable=FALSE", "acks=all", "", Map.of())
                        .survivesKill())
                .isTrue();
        Map<String, String> broker = Map.of("unclean.leader.election.enable", "true");
        assertThat(guarantee(3, "", "acks=all", "", broker).survivesKill()).isFalse();
    }

    @Test
    void afterAPowerCutAnUncleanElectionMayChooseAFollowerThatLacksMessages() {
        String topic = "flush.messages=1\nmin.insync.replicas=2";
        assertThat(guarantee(3, topic, "acks=all", "", NEVER_UNCLEAN).survivesPowerCut())
                .isTrue();
        assertThat(guarantee(2, topic, "acks=all", "", Map.of()).survivesPowerCut())
                .isTrue();
        Guarantee twoOfThree = guarantee(3, topic, "acks=all", "", Map.of());
        assertThat(twoOfThree.survivesPowerCut()).isFalse();
        assertThat(twoOfThree.survivesKill()).isTrue();
    }

    @Test
    void whatHoldsForSeveralTopicsIsTheWeakestOfEachPart() {
        Guarantee copied = guarantee(3, "min.insync.replicas=2", "acks=all", "", NEVER_UNCLEAN);
        Guarantee synced = guarantee(1, "flush.messages=1", "acks=all", "", NEVER_UNCLEAN);
        assertThat(KafkaGuarantee.weakest(List.of(copied, synced)))
                .isEqualTo(new Guarantee(1, 1, Storage.WRITTEN, Consumption.ACKNOWLEDGED, Order.PARTITION));
        Guarantee stale = guarantee(3, "unclean.leader.election.enable=true", "acks=all", "", NEVER_UNCLEAN);
        Guarantee both = KafkaGuarantee.weakest(List.of(synced, stale, stale));
        assertThat(both.survivesKill()).isFalse();
        assertThat(both.note()).isEqualTo(stale.note());
    }

    @Test
    void whatTheTopicLeavesOpenTheBrokerDecides() {
        Map<String, String> broker = Map.of(
                "default.replication.factor",
                "3",
                "min.insync.replicas",
                "2",
                "log.flush.interval.messages",
                "1",
                "unclean.leader.election.enable",
                "false");
        assertThat(guarantee(null, "", "acks=all", "enable.auto.commit=true", broker))
                .isEqualTo(new Guarantee(3, 2, Storage.SYNCED, Consumption.AUTOMATIC, Order.PARTITION));
        assertThat(guarantee(null, "flush.messages=1000", "acks=all", "", broker)
                        .storage())
                .isEqualTo(Storage.WRITTEN);
        assertThat(guarantee(null, "", "acks=all", "", Map.of()))
                .isEqualTo(new Guarantee(1, 1, Storage.WRITTEN, Consumption.ACKNOWLEDGED, Order.PARTITION));
    }
}
