package io.openmessaging.benchmark.driver.redpanda;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedpandaGuaranteeTest {

    private static final Map<String, String> CACHED = Map.of("write.caching", "true");
    private static final Map<String, String> FLUSHED = Map.of("write.caching", "false");

    private static Guarantee ofKafka(int copies, int acknowledged) {
        boolean stale = copies > 1 && acknowledged == 1;
        String note = stale ? "a follower that lacks the last messages may become the leader" : "";
        return new Guarantee(
                copies, acknowledged, Storage.WRITTEN, Consumption.ACKNOWLEDGED, Order.PARTITION, stale, note);
    }

    /** Kafka would count min.insync.replicas, which is 1 if the system does not report it. */
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 2", "5, 3"})
    void aMajorityHasWhatIsAcknowledgedToAll(int copies, int majority) {
        for (String acks : new String[] {"all", "-1"}) {
            Guarantee guarantee = RedpandaGuarantee.of(ofKafka(copies, 1), acks, FLUSHED, Map.of());
            assertThat(guarantee.copies()).isEqualTo(copies);
            assertThat(guarantee.acknowledgedCopies()).isEqualTo(majority);
            assertThat(guarantee.storage()).isEqualTo(Storage.UNKNOWN);
            assertThat(guarantee.survivesKill()).isTrue();
            assertThat(guarantee.survivesPowerCut()).isFalse();
        }
    }

    @Test
    void whatTheLeaderAloneAcknowledgesIsInItsMemory() {
        Guarantee one = RedpandaGuarantee.of(ofKafka(1, 1), "1", FLUSHED, Map.of());
        assertThat(one.storage()).isEqualTo(Storage.MEMORY);
        assertThat(one.inWords()).isEqualTo("1 copy, in memory when acknowledged, survives no crash");
        Guarantee three = RedpandaGuarantee.of(ofKafka(3, 1), "1", FLUSHED, Map.of());
        assertThat(three.acknowledgedCopies()).isEqualTo(1);
        assertThat(three.survivesKill()).isFalse();
        assertThat(three.inWords()).contains("a follower that lacks the last messages may become the leader");
        assertThat(RedpandaGuarantee.of(ofKafka(3, 0), "0", FLUSHED, Map.of()).survivesKill())
                .isFalse();
    }

    @Test
    void whatIsCachedIsInMemory() {
        Guarantee one = RedpandaGuarantee.of(ofKafka(1, 1), "all", CACHED, Map.of());
        assertThat(one.inWords())
                .isEqualTo("1 copy, in memory when acknowledged, survives no crash (write caching is on)");
        Guarantee three = RedpandaGuarantee.of(ofKafka(3, 1), "all", CACHED, Map.of());
        assertThat(three.storage()).isEqualTo(Storage.MEMORY);
        assertThat(three.acknowledgedCopies()).isEqualTo(2);
        assertThat(three.survivesKill()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        // the topic's, the cluster's
        "'',       false,    UNKNOWN",
        "'',       disabled, UNKNOWN",
        "'',       true,     MEMORY",
        "'',       '',       MEMORY",
        "true,     false,    MEMORY",
        "true,     disabled, UNKNOWN",
        "false,    true,     UNKNOWN",
        "disabled, '',       UNKNOWN",
        "other,    false,    MEMORY",
    })
    void theTopicOrElseTheClusterDecidesAboutWriteCaching(String topic, String cluster, Storage storage) {
        Guarantee guarantee = RedpandaGuarantee.of(
                ofKafka(1, 1),
                "all",
                topic.isEmpty() ? Map.of() : Map.of("write.caching", topic),
                cluster.isEmpty() ? Map.of() : Map.of("write_caching_default", cluster));
        assertThat(guarantee.storage()).isEqualTo(storage);
        assertThat(guarantee.survivesKill()).isEqualTo(storage == Storage.UNKNOWN);
    }
}
