package io.openmessaging.benchmark.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.claims.Judgement.ClaimVerdict;
import io.openmessaging.benchmark.config.PublishedFile;
import io.openmessaging.benchmark.config.PublishedFile.Claim;
import io.openmessaging.benchmark.config.TimeScale;
import io.openmessaging.benchmark.plan.Cell;
import io.openmessaging.benchmark.plan.Manifest;
import io.openmessaging.benchmark.plan.Plan;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.plan.PlanReader;
import io.openmessaging.benchmark.plan.PlanRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Tests of what the studies have published, as it comes with the project. */
class ShippedClaimsTest {

    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

    private static final String NOT_MEASURED = "not measured";

    /** A study as it comes with the project. */
    private record Study(String name, Plan plan, PublishedFile published) {

        static Study of(String name) {
            Path file = HOME.resolve("workloads").resolve(name).resolve("plan.yaml");
            try {
                PlanRequest request = new PlanRequest(file, List.of(), TimeScale.FULL, null, null, List.of());
                Plan plan = PlanReader.read(request, HOME);
                return new Study(name, plan, PublishedFile.read(plan.published()));
            } catch (PlanException | ConfigException e) {
                throw new IllegalStateException(e);
            }
        }

        List<Claim> claims() {
            return published.keys().claims();
        }

        /** Judges a claim on the study's own values, of which some may be replaced. */
        Judgement judge(Claim claim, Map<String, Double> instead) {
            return Claims.judge(claim, Claims.study(published, plan.cells(), instead));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Study> studies() {
        return Stream.of("kaczor-2022", "maharjan-2023", "chy-2023", "ramadan-2026", "superstreams-2026")
                .map(Study::of);
    }

    /** Every expression can be parsed; every experiment, system, case, metric and unit is one of the plan's. */
    @ParameterizedTest
    @MethodSource("studies")
    void everyValueAndClaimIsAboutACellOfThePlan(Study study) {
        assertThatCode(() -> Claims.check(study.published(), study.plan().cells()))
                .doesNotThrowAnyException();
    }

    /** A claim holds on the study's own values, unless it says how these contradict it or they are not all published. */
    @ParameterizedTest
    @MethodSource("studies")
    void everyClaimHoldsOnItsStudysValues(Study study) {
        for (Claim claim : study.claims()) {
            Judgement judgement = study.judge(claim, Map.of());
            assertThat(judgement.outcome())
                    .as("%s: %s", claim.id(), judgement.reason())
                    .isEqualTo(expected(claim, judgement));
        }
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
    @MethodSource("studies")
    void everyClaimDoesNotHoldOnItsContraryValues(Study study) {
        for (Claim claim : study.claims()) {
            if (claim.holds() != null) {
                assertThat(claim.contrary()).as(claim.id()).isNotEmpty();
                Judgement judgement = study.judge(claim, claim.contrary());
                assertThat(judgement.outcome())
                        .as("%s: %s", claim.id(), judgement.reason())
                        .isEqualTo(ClaimVerdict.DOES_NOT_HOLD);
            }
        }
    }

    /** The table in workloads/README.md has a row for each claim. */
    @ParameterizedTest
    @MethodSource("studies")
    void theTableOfClaimsIsTrue(Study study, @TempDir Path folder) throws Exception {
        Map<String, JsonNode> measured = measured(study, folder);
        List<String> rows = new ArrayList<>();
        for (Claim claim : study.claims()) {
            Judgement judgement = study.judge(claim, Map.of());
            String metrics = judgement.values().stream()
                    .map(value -> "`" + value.metric() + "`")
                    .distinct()
                    .collect(Collectors.joining(", "));
            JsonNode here = measured.get(claim.id());
            String reason = here == null ? "" : ": " + here.path("reason").asString();
            rows.add("| `%s` | %s | %s | %s | %s |"
                    .formatted(
                            claim.id(),
                            claim.source(),
                            metrics.isEmpty() ? "—" : metrics,
                            words(claim, judgement),
                            words(here) + reason));
        }
        assertThat(Files.readAllLines(HOME.resolve("workloads/README.md"))).containsSequence(rows);
    }

    /** The table in README.md counts the judgements of each study. */
    @Test
    void theNumbersOfClaimsAreTrue(@TempDir Path folder) throws Exception {
        List<String> outcomes = Stream.concat(
                        Stream.of(ClaimVerdict.values()).map(ClaimVerdict::words), Stream.of(NOT_MEASURED))
                .toList();
        List<String> rows = new ArrayList<>();
        for (Study study : studies().toList()) {
            Map<String, JsonNode> measured = measured(study, Files.createDirectory(folder.resolve(study.name())));
            Map<String, Long> counts = study.claims().stream()
                    .collect(Collectors.groupingBy(claim -> words(measured.get(claim.id())), Collectors.counting()));
            assertThat(outcomes).containsAll(counts.keySet());
            rows.add(outcomes.stream()
                    .map(outcome -> counts.getOrDefault(outcome, 0L).toString())
                    .collect(Collectors.joining(
                            " | ",
                            "| `%s` | %d | ".formatted(study, study.claims().size()),
                            " |")));
        }
        assertThat(Files.readAllLines(HOME.resolve("README.md")))
                .contains("| study | claims | " + String.join(" | ", outcomes) + " |")
                .containsSequence(rows);
    }

    /**
     * Returns the judgement on each claim by our own results, from the archive that has the most runs of it. A claim of
     * which no cell was run has none.
     */
    private static Map<String, JsonNode> measured(Study study, Path folder) throws Exception {
        Map<String, JsonNode> measured = new HashMap<>();
        Path workloads = HOME.resolve("workloads");
        for (Path archive :
                ShippedResultsTest.archives(workloads.resolve(study.name())).toList()) {
            Path unpacked = Files.createDirectory(folder.resolve(String.valueOf(archive.getFileName())));
            JsonNode claims = ShippedResultsTest.unpack(archive, unpacked);
            Set<String> cells = Manifest.read(unpacked).runs().stream()
                    .filter(run -> run.status() == Manifest.Status.DONE)
                    .map(run -> run.cell().path())
                    .collect(Collectors.toSet());
            for (JsonNode claim : claims) {
                JsonNode values = claim.path("values");
                if (values.isEmpty()
                        || values.valueStream().map(ShippedClaimsTest::cell).anyMatch(cells::contains)) {
                    measured.merge(claim.path("id").asString(), claim, ShippedClaimsTest::withMoreRuns);
                }
            }
        }
        return measured;
    }

    /** Returns the cell of a claim's value, as {@link Cell#path} has it. */
    private static String cell(JsonNode value) {
        return Stream.of("experiment", "system", "case")
                .map(part -> value.path(part).asString())
                .collect(Collectors.joining("/"));
    }

    private static JsonNode withMoreRuns(JsonNode one, JsonNode other) {
        return runs(other) > runs(one) ? other : one;
    }

    private static int runs(JsonNode claim) {
        return claim.path("values")
                .valueStream()
                .mapToInt(value -> value.path("n").asInt(0))
                .sum();
    }

    /** Returns the judgement by our own results, as the tables have it. */
    private static String words(@Nullable JsonNode here) {
        return here == null ? NOT_MEASURED : here.path("judgement").asString();
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
}
