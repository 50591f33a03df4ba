package io.openmessaging.benchmark.result.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.result.GoldenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

class RunVariantsTest {

    /** The charts' tests read the same examples. */
    @TestFactory
    List<DynamicTest> variantsAreNamedAsInTheCharts() throws IOException {
        JsonNode root = YAMLMapper.shared().readTree(Files.readString(GoldenFile.path("repetitions-example.yaml")));
        List<DynamicTest> tests = new ArrayList<>();
        root.path("examples")
                .forEachEntry((example, runs) -> tests.add(DynamicTest.dynamicTest(example, () -> {
                    List<JsonNode> results = runs.valueStream()
                            .map(run ->
                                    (JsonNode) ((ObjectNode) root.path("result").deepCopy()).setAll((ObjectNode) run))
                            .toList();
                    assertThat(RunVariants.names(results))
                            .isEqualTo(runs.valueStream()
                                    .map(run -> run.path("name").asString())
                                    .toList());
                })));
        assertThat(tests).hasSizeGreaterThan(8);
        return tests;
    }
}
