package io.openmessaging.benchmark.driver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KafkaSettingsTest {

    @Test
    void textsAreParsedAsJavaDoes() {
        assertThat(KafkaSettings.parse("# a comment\na=1\n\n  b : two words  \nc=x\\\n  y\n"))
                .isEqualTo(Map.of("a", "1", "b", "two words", "c", "xy"));
        assertThat(KafkaSettings.parse("")).isEmpty();
    }

    @Test
    void theNearestNameWins() {
        assertThat(KafkaSettings.nearest("lingr.ms", Set.of("lingers.ms", "linger.ms", "acks")))
                .contains("linger.ms");
    }

    @Test
    void aNameFarFromAllIsNoMisspelling() {
        assertThat(KafkaSettings.nearest("my.interceptor.target", KafkaSettings.OF_CLIENTS))
                .isEmpty();
    }

    @Test
    void topicSettingsAreThoseOfKafka() {
        assertThat(KafkaSettings.OF_TOPIC)
                .contains("min.insync.replicas", "flush.messages", "flush.ms", "retention.ms", "compression.type")
                .doesNotContain("linger.ms");
    }
}
