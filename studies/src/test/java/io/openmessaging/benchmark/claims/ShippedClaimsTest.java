package io.openmessaging.benchmark.claims;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.openmessaging.benchmark.config.PublishedFile;
import io.openmessaging.benchmark.config.TimeScale;
import io.openmessaging.benchmark.plan.Plan;
import io.openmessaging.benchmark.plan.PlanReader;
import io.openmessaging.benchmark.plan.PlanRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of what the studies have published, as it comes with the project. */
class ShippedClaimsTest {

    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

    /** Every expression can be parsed; every experiment, system, case, metric and unit is one of the plan's. */
    @ParameterizedTest
    @ValueSource(strings = {"kaczor-2022", "maharjan-2023", "chy-2023", "ramadan-2026", "superstreams-2026"})
    void everyValueAndClaimIsAboutACellOfThePlan(String study) throws Exception {
        Path folder = HOME.resolve("workloads").resolve(study);
        Plan plan = PlanReader.read(
                new PlanRequest(folder.resolve("plan.yaml"), List.of(), TimeScale.FULL, null, null, List.of()), HOME);
        PublishedFile published = PublishedFile.read(plan.published());

        assertThatCode(() -> Claims.check(published, plan.cells())).doesNotThrowAnyException();
    }
}
