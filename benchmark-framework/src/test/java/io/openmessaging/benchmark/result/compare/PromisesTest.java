package io.openmessaging.benchmark.result.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class PromisesTest {

    private final Promises promises = new Promises();

    private static JsonNode result(int copies, int acknowledged, String storage, boolean survivesKill, String words) {
        return JsonMapper.shared()
                .valueToTree(Map.of(
                        "broker",
                        Map.of(
                                "guarantee",
                                Map.of(
                                        "copies", copies,
                                        "acknowledgedCopies", acknowledged,
                                        "storage", storage,
                                        "consumption", words,
                                        "survivesKill", survivesKill,
                                        "inWords", words))));
    }

    private boolean differ(JsonNode first, JsonNode second) {
        Promises two = new Promises();
        two.add("a", first);
        two.add("b", second);
        return two.differ();
    }

    @Test
    void aNoteInTheSentenceMakesNoOtherPromise() {
        promises.add("kafka", result(1, 1, "WRITTEN", true, "1 copy"));
        promises.add("redis", result(1, 1, "WRITTEN", true, "1 copy (appendfsync everysec)"));
        assertThat(promises.differ()).isFalse();
        assertThat(promises.warning()).isEmpty();
        assertThat(promises.inWords())
                .containsExactly(Map.entry("kafka", "1 copy"), Map.entry("redis", "1 copy (appendfsync everysec)"));
    }

    @Test
    void eachFieldOfTheDefinitionDoes() {
        JsonNode base = result(3, 2, "WRITTEN", true, "w");
        assertThat(differ(base, result(3, 2, "WRITTEN", true, "w"))).isFalse();
        assertThat(differ(base, result(2, 2, "WRITTEN", true, "w"))).isTrue();
        assertThat(differ(base, result(3, 1, "WRITTEN", true, "w"))).isTrue();
        assertThat(differ(base, result(3, 2, "SYNCED", true, "w"))).isTrue();
        assertThat(differ(base, result(3, 2, "WRITTEN", false, "w"))).isTrue();
    }

    @Test
    void whoTellsNothingIsLeftOut() {
        promises.add("kafka", result(1, 1, "WRITTEN", true, "1 copy"));
        promises.add("omb", JsonMapper.shared().createObjectNode());
        assertThat(promises.differ()).isFalse();
        assertThat(promises.inWords()).containsOnlyKeys("kafka");
    }

    @Test
    void oneSystemWithSeveralPromisesComparesWithNoneThatHasThemInAnotherOrder() {
        JsonNode one = result(1, 1, "WRITTEN", true, "1 copy");
        JsonNode three = result(3, 2, "WRITTEN", true, "3 copies");
        promises.add("kafka", one);
        promises.add("kafka", three);
        assertThat(promises.differ()).as("a system is not compared with itself").isFalse();
        promises.add("redis", one);
        promises.add("redis", three);
        assertThat(promises.differ()).isFalse();
        promises.add("pulsar", three);
        promises.add("pulsar", one);
        assertThat(promises.differ()).isTrue();
        assertThat(promises.warning())
                .containsExactly(
                        "These systems give different guarantees for acknowledged messages; their figures are not comparable:",
                        "  kafka: 1 copy; elsewhere 3 copies",
                        "  redis: 1 copy; elsewhere 3 copies",
                        "  pulsar: 3 copies; elsewhere 1 copy");
    }
}
