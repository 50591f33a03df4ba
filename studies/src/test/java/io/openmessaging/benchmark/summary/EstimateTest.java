package io.openmessaging.benchmark.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class EstimateTest {

    private static final Offset<Double> EXACTLY = within(1e-9);

    /** The charts' tests read the same examples, so both have the same intervals. */
    @Test
    void theExamplesOfTheChartsHaveTheSameIntervals() throws Exception {
        try (InputStream file =
                Objects.requireNonNull(EstimateTest.class.getResourceAsStream("estimates-example.json"))) {
            JsonNode examples = JsonMapper.shared().readTree(file).path("examples");
            assertThat(examples.size()).isGreaterThan(9);
            for (JsonNode example : examples) {
                double[] values = example.path("values")
                        .valueStream()
                        .mapToDouble(JsonNode::asDouble)
                        .toArray();
                Estimate estimate = Estimate.of(values);
                same(estimate.median(), example.path("median"));
                same(estimate.ci95Low(), example.path("ci95Low"));
                same(estimate.ci95High(), example.path("ci95High"));
            }
        }
    }

    private static void same(@Nullable Double value, JsonNode expected) {
        if (expected.isNull()) {
            assertThat(value).isNull();
        } else {
            assertThat(value).isNotNull().isCloseTo(expected.asDouble(), within(1e-6 * Math.abs(expected.asDouble())));
        }
    }

    /** The quantile of t with 2 degrees of freedom is 4.302652729911275. */
    @Test
    void threeRunsHaveStudentsIntervalOfTheLogarithms() {
        Estimate estimate = Estimate.of(1, Math.E, Math.E * Math.E);

        double half = 4.302652729911275 / Math.sqrt(3);
        assertThat(estimate.median()).isEqualTo(Math.E, EXACTLY);
        assertThat(estimate.ci95Low()).isEqualTo(Math.exp(1 - half), EXACTLY);
        assertThat(estimate.ci95High()).isEqualTo(Math.exp(1 + half), within(1e-7));
    }

    /** With ten values, the interval from the second to the ninth leaves out 2 · 11/1024 = 2.1 %. */
    @Test
    void tenRunsHaveTheIntervalOfOrderStatistics() {
        Estimate estimate = Estimate.of(10, 1, 9, 2, 8, 3, 7, 4, 6, 500);

        assertThat(estimate.median()).isEqualTo(6.5, EXACTLY);
        assertThat(estimate.ci95Low()).isEqualTo(2, EXACTLY);
        assertThat(estimate.ci95High()).isEqualTo(10, EXACTLY);
        assertThat(estimate.max()).isEqualTo(500);
    }

    @Test
    void twoRunsHaveARangeOnly() {
        Estimate estimate = Estimate.of(10, 12);

        assertThat(estimate.sd()).isEqualTo(Math.sqrt(2), EXACTLY);
        assertThat(estimate.ci95Low()).isNull();
        assertThat(estimate.ci95High()).isNull();
        assertThat(estimate.min()).isEqualTo(10);
        assertThat(estimate.max()).isEqualTo(12);
    }

    @Test
    void aZeroAmongFewRunsLeavesTheRange() {
        assertThat(Estimate.of(0, 3, 4).ci95Low()).isNull();
        assertThat(Estimate.of(0, 3, 4, 4, 5, 6).ci95Low()).isZero();
    }

    @Test
    void oneRunTellsNothingOfTheSpread() {
        assertThat(Estimate.of(7)).isEqualTo(new Estimate(1, 7, null, null, null, 7, null, null, 7, 7, List.of(7.0)));
    }

    @Test
    void equalRunsAreKnownToTheThirdDigit() {
        Estimate estimate = Estimate.of(3, 3, 3);
        assertThat(estimate.ci95Low()).isLessThan(2.995);
        assertThat(estimate.ci95High()).isGreaterThan(3.005);
        assertThat(Estimate.of(3, 3, 3, 3, 3, 3).ci95High()).isEqualTo(3.005, EXACTLY);
    }

    /** The expected figures were computed by Bonett's formula in another language. */
    @Test
    void theStandardDeviationOfFiveRunsHasAnIntervalThatRunsFarFromTheOthersWiden() {
        Estimate even = Estimate.of(10, 11, 9, 12, 8, 13, 7, 14, 6, 15);
        assertThat(even.sd()).isEqualTo(3.0276503540974917, EXACTLY);
        assertThat(even.sdCi95Low()).isCloseTo(2.2154624, within(1e-6));
        assertThat(even.sdCi95High()).isCloseTo(5.1462284, within(1e-6));

        Estimate withOneFar = Estimate.of(10, 11, 9, 12, 8, 13, 7, 14, 6, 150);
        assertThat(withOneFar.sdCi95Low()).isCloseTo(12.5541281, within(1e-5));
        assertThat(withOneFar.sdCi95High()).isCloseTo(194.8436282, within(1e-5));

        assertThat(Estimate.of(1, 2, 3, 4, 5).sdCi95Low()).isCloseTo(0.8090181, within(1e-6));
        assertThat(Estimate.of(1, 2, 3, 4).sdCi95Low()).isNull();
    }

    @Test
    void theStandardDeviationOfEqualRunsIsKnownToTheThirdDigit() {
        Estimate estimate = Estimate.of(3, 3, 3, 3, 3);
        assertThat(estimate.sdCi95Low()).isZero();
        assertThat(estimate.sdCi95High()).isEqualTo(0.005, EXACTLY);
    }

    /** With 2 degrees of freedom, the quantile of t is a·√(2/(1 − a²)), with a = 1 − 0.05/3 for three estimates. */
    @Test
    void severalThatAreJudgedTogetherHaveWiderIntervals() {
        double half = 7.648803937915559 / Math.sqrt(3);
        Estimate three = Estimate.of(1, Math.E, Math.E * Math.E).among(3);
        assertThat(three.ci95Low()).isCloseTo(Math.exp(1 - half), within(1e-7));
        assertThat(three.ci95High()).isCloseTo(Math.exp(1 + half), within(1e-4));

        Estimate ten = Estimate.of(10, 1, 9, 2, 8, 3, 7, 4, 6, 500);
        assertThat(ten.among(1)).isEqualTo(ten);
        assertThat(ten.among(24).ci95Low()).as("2/1024 is less than 0.05/24").isEqualTo(1);
        assertThat(ten.among(24).ci95High()).isEqualTo(500);
    }

    /** The expected figures were computed by Bonett's formula in another language. */
    @Test
    void severalDeviationsThatAreJudgedTogetherHaveWiderIntervals() {
        Estimate three = Estimate.of(10, 11, 9, 12, 8, 13, 7, 14, 6, 15).among(3);
        assertThat(three.sdCi95Low()).isCloseTo(2.0148034, within(1e-6));
        assertThat(three.sdCi95High()).isCloseTo(5.9816541, within(1e-6));
    }

    /** A published value is exact, and a share of runs is what the runs say. */
    @Test
    void whatDoesNotFollowFromValuesHoldsWithAnyConfidence() {
        Estimate shares = Estimate.ofShares(100, 100, 0);
        assertThat(shares.among(24)).isEqualTo(shares);
    }

    @Test
    void withoutRunsThereIsNone() {
        assertThatIllegalArgumentException().isThrownBy(Estimate::of);
    }
}
