package io.openmessaging.benchmark.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.openmessaging.benchmark.claims.Judgement.ClaimVerdict;
import io.openmessaging.benchmark.config.PublishedFile;
import io.openmessaging.benchmark.config.PublishedFile.Claim;
import io.openmessaging.benchmark.config.TimeScale;
import io.openmessaging.benchmark.plan.Plan;
import io.openmessaging.benchmark.plan.PlanReader;
import io.openmessaging.benchmark.plan.PlanRequest;
import io.openmessaging.benchmark.summary.Summary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of what the studies have published, as it comes with the project. */
class ShippedClaimsTest {

    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

    /** Every expression can be parsed; every experiment, system, case, metric and unit is one of the plan's. */
    @ParameterizedTest
    @ValueSource(strings = {"kaczor-2022", "maharjan-2023", "chy-2023", "ramadan-2026", "superstreams-2026"})
    void everyValueAndClaimIsAboutACellOfThePlan(String study) throws Exception {
        Plan plan = plan(study);
        PublishedFile published = PublishedFile.read(plan.published());

        assertThatCode(() -> Claims.check(published, plan.cells())).doesNotThrowAnyException();
    }

    /** A claim holds on the study's own values, unless it says how these contradict it or they are not all published. */
    @ParameterizedTest
    @ValueSource(strings = {"kaczor-2022", "maharjan-2023", "chy-2023", "ramadan-2026", "superstreams-2026"})
    void everyClaimHoldsOnItsStudysValues(String study) throws Exception {
        Plan plan = plan(study);
        PublishedFile published = PublishedFile.read(plan.published());
        Summary values = Claims.study(published, plan.cells(), Map.of());
        for (Claim claim : published.keys().claims()) {
            Judgement judgement = Claims.judge(claim, values);
            assertThat(judgement.outcome())
                    .as("%s: %s", claim.id(), judgement.reason())
                    .isEqualTo(expected(claim, judgement));
        }
    }

    /** The table in workloads/README.md has a row for each claim. */
    @ParameterizedTest
    @ValueSource(strings = {"kaczor-2022", "maharjan-2023", "chy-2023", "ramadan-2026", "superstreams-2026"})
    void theTableOfClaimsIsTrue(String study) throws Exception {
        Plan plan = plan(study);
        PublishedFile published = PublishedFile.read(plan.published());
        Summary values = Claims.study(published, plan.cells(), Map.of());
        List<String> rows = new ArrayList<>();
        for (Claim claim : published.keys().claims()) {
            Judgement judgement = Claims.judge(claim, values);
            String metrics = judgement.values().stream()
                    .map(value -> "`" + value.metric() + "`")
                    .distinct()
                    .collect(Collectors.joining(", "));
            rows.add("| `%s` | %s | %s | %s |"
                    .formatted(claim.id(), claim.source(), metrics.isEmpty() ? "—" : metrics, words(claim, judgement)));
        }
        assertThat(Files.readAllLines(HOME.resolve("workloads/README.md"))).containsSequence(rows);
    }

    private static String words(Claim claim, Judgement judgement) {
        if (claim.holds() == null) {
            return "no expression";
        }
        return switch (judgement.outcome()) {
            case HOLDS -> "holds";
            case DOES_NOT_HOLD -> "contradicted";
            case DIRECTION_ONLY, NOT_DECIDABLE -> "not published";
        };
    }

    private static ClaimVerdict expected(Claim claim, Judgement judgement) {
        if (claim.contradicted() != null) {
            return ClaimVerdict.DOES_NOT_HOLD;
        }
        boolean known = judgement.values().stream().allMatch(value -> value.estimate() != null);
        return claim.holds() != null && known ? ClaimVerdict.HOLDS : ClaimVerdict.NOT_DECIDABLE;
    }

    /** Otherwise it would hold whatever was measured. */
    @ParameterizedTest
    @ValueSource(strings = {"kaczor-2022", "maharjan-2023", "chy-2023", "ramadan-2026", "superstreams-2026"})
    void everyClaimDoesNotHoldOnItsContraryValues(String study) throws Exception {
        Plan plan = plan(study);
        PublishedFile published = PublishedFile.read(plan.published());
        for (Claim claim : published.keys().claims()) {
            if (claim.holds() != null) {
                assertThat(claim.contrary()).as(claim.id()).isNotEmpty();
                Summary values = Claims.study(published, plan.cells(), claim.contrary());
                Judgement judgement = Claims.judge(claim, values);
                assertThat(judgement.outcome())
                        .as("%s: %s", claim.id(), judgement.reason())
                        .isEqualTo(ClaimVerdict.DOES_NOT_HOLD);
            }
        }
    }

    private static Plan plan(String study) throws Exception {
        Path file = HOME.resolve("workloads").resolve(study).resolve("plan.yaml");
        return PlanReader.read(new PlanRequest(file, List.of(), TimeScale.FULL, null, null, List.of()), HOME);
    }
}
