package io.openmessaging.benchmark.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.plan.Cell;
import io.openmessaging.benchmark.plan.Cells;
import io.openmessaging.benchmark.summary.CellSummary;
import io.openmessaging.benchmark.summary.Estimate;
import io.openmessaging.benchmark.summary.Summary;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimJudgeTest {

    private final List<CellSummary> cells = new ArrayList<>();

    /** Adds a cell whose mean is midway between the two bounds. */
    private void cell(String system, String caseName, double low, double high) {
        Estimate estimate =
                new Estimate(3, (low + high) / 2, 1.0, null, null, (low + high) / 2, low, high, low, high, List.of());
        cell(system, caseName, 3, 0, 0, Map.of("publishRate", estimate));
    }

    private void cell(
            String system, String caseName, int runs, int invalid, int failed, Map<String, Estimate> metrics) {
        cells.add(new CellSummary(
                new Cell("e", system, caseName, Map.of()), runs, invalid, 0, failed, 0, List.of(), metrics));
    }

    private Judgement judge(String expression) throws Exception {
        return judge(expression, 1);
    }

    private Judgement judge(String expression, double timeScale) throws Exception {
        Summary summary = new Summary("study", timeScale, false, Map.of(), List.of(), cells);
        return new ClaimJudge(summary).judge(new ClaimNames(summary.names()).parse(expression));
    }

    private void assertOutcome(String expression, String outcome, String reason) throws Exception {
        Judgement judgement = judge(expression);
        assertThat(judgement.outcome().words() + ": " + judgement.reason()).isEqualTo(outcome + ": " + reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "publishRate(e,fast,a) > publishRate(e,slow,a)      | holds          | the intervals are apart",
                "publishRate(e,slow,a) < publishRate(e,fast,a)      | holds          | the intervals are apart",
                "publishRate(e,slow,a) > publishRate(e,fast,a)      | does not hold  | the intervals are apart in the opposite order",
                "publishRate(e,fast,a) <= publishRate(e,slow,a)     | does not hold  | the intervals are apart in the opposite order",
                "publishRate(e,fast,a) > publishRate(e,near,a)      | not decidable  | the intervals overlap",
                "publishRate(e,near,a) < publishRate(e,fast,a)      | not decidable  | the intervals overlap",
                "publishRate(e,fast,a) > 2 * publishRate(e,slow,a)  | not decidable  | the intervals overlap",
                "publishRate(e,fast,a) > 1.5 * publishRate(e,slow,a)| holds          | the intervals are apart",
                "publishRate(e,fast,a) / publishRate(e,slow,a) > 4  | does not hold  | the intervals are apart in the opposite order",
                "publishRate(e,fast,a) - publishRate(e,slow,a) > 70 | holds          | the intervals are apart",
                "publishRate(e,fast,a) + publishRate(e,slow,a) < 320| holds          | the intervals are apart",
                "publishRate(e,fast,a) >= 190                       | holds          | the intervals are apart",
                "publishRate(e,fast,a) > 190                        | not decidable  | the intervals overlap",
                "1 > 1                                              | does not hold  | the intervals are apart in the opposite order",
                "publishRate(e,fast,a) > 1 and publishRate(e,fast,a) < 1 | does not hold | the intervals are apart in the opposite order",
                "publishRate(e,fast,a) > 200 and publishRate(e,slow,a) > 1000 | does not hold | the intervals are apart in the opposite order",
                "publishRate(e,fast,a) > 1 and publishRate(e,fast,a) > 200 | not decidable | the intervals overlap",
            })
    void aComparisonIsDecidedByIntervals(String expression, String outcome, String reason) throws Exception {
        cell("fast", "a", 190, 210);
        cell("slow", "a", 95, 105);
        cell("near", "a", 205, 220);
        assertOutcome(expression, outcome, reason);
    }

    @Test
    void whatSomeRunsDoNotHaveMayBeWorseThere() throws Exception {
        Estimate estimate = Estimate.of(1, 0.9, 1.1);
        cell("kafka", "a", 5, 0, 0, Map.of("recoveredSeconds", estimate));
        assertOutcome(
                "recoveredSeconds(e,kafka,a) < 2",
                "not decidable",
                "2 of 5 runs of e/kafka/a have no recoveredSeconds");
    }

    @Test
    void aStarHoldsIfItHoldsInEveryCaseThatBothHave() throws Exception {
        cell("kafka", "1 KB", 20, 21);
        cell("kafka", "10 KB", 10, 11);
        cell("kafka", "1 MB", 0, 1);
        cell("redis", "1 KB", 15, 16);
        cell("redis", "10 KB", 5, 6);
        assertOutcome(
                "publishRate(e,kafka,\"* KB\") > publishRate(e,redis,\"* KB\")",
                "holds",
                "the intervals are apart in all 2 cases");
        assertOutcome(
                "publishRate(e,kafka,*) > 2",
                "does not hold",
                "the intervals are apart in the opposite order in case 1 MB");
        assertOutcome(
                "publishRate(e,kafka,\"* KB\") > publishRate(e,redis,\"1 KB\")",
                "does not hold",
                "the intervals are apart in the opposite order in case 10 KB");
    }

    @Test
    void oneCaseThatDoesNotHoldIsEnoughWhateverTheOthersAre() throws Exception {
        cell("kafka", "a", 10, 20);
        cell("redis", "a", 15, 25);
        cell("kafka", "b", 1, 2);
        cell("redis", "b", 3, 4);
        assertOutcome(
                "publishRate(e,kafka,*) > publishRate(e,redis,*)",
                "does not hold",
                "the intervals are apart in the opposite order in case b");
    }

    /** The highest end of c is 93.5, and 95.5 with the confidence that three comparisons take. */
    @Test
    void whatContradictsOneOfManyComparisonsIsCorrectedForTheirNumber() throws Exception {
        cell("kafka", "a", 3, 0, 0, Map.of("publishRate", Estimate.of(100, 101, 102)));
        cell("kafka", "b", 3, 0, 0, Map.of("publishRate", Estimate.of(100, 101, 102)));
        cell("kafka", "c", 3, 0, 0, Map.of("publishRate", Estimate.of(90, 91, 92)));
        assertOutcome("publishRate(e,kafka,c) > 94", "does not hold", "the intervals are apart in the opposite order");
        assertOutcome(
                "publishRate(e,kafka,*) > 94",
                "not decidable",
                "the intervals are apart in the opposite order in case c, but not with the confidence that 3 comparisons"
                        + " take; the medians contradict the claim");
        assertOutcome(
                "publishRate(e,kafka,a) > 94 and publishRate(e,kafka,b) > 94 and publishRate(e,kafka,c) > 94",
                "not decidable",
                "the intervals are apart in the opposite order, but not with the confidence that 3 comparisons take;"
                        + " the medians contradict the claim");
        assertOutcome(
                "publishRate(e,kafka,*) > 97",
                "does not hold",
                "the intervals are apart in the opposite order in case c");
        assertOutcome("rises(publishRate(e,kafka,*))", "does not hold", "it falls from a to c");
        assertOutcome(
                "flat within 2% (publishRate(e,kafka,*))",
                "does not hold", "c lies more than 2 % from the mean of all");
        assertOutcome(
                "flat within 4% (publishRate(e,kafka,*))",
                "not decidable",
                "c lies more than 4 % from the mean of all, but not with the confidence that 3 comparisons take;"
                        + " the medians contradict the claim");
    }

    /** All comparisons have to agree, so none is too many. */
    @Test
    void whatHoldsInAllOfManyComparisonsTakesNoCorrection() throws Exception {
        for (int i = 0; i < 24; i++) {
            cell("kafka", "case " + i, 3, 0, 0, Map.of("publishRate", Estimate.of(100, 101, 102)));
        }
        assertOutcome("publishRate(e,kafka,*) > 98", "holds", "the intervals are apart in all 24 cases");
    }

    @Test
    void aRateIsNotDecidedIfASearchDidNotFindTheLimit() throws Exception {
        Map<String, Estimate> found = Map.of(
                "sustainableRate", Estimate.of(100, 101, 102), "publishLatency99pct", Estimate.of(5, 5.1, 5.2, 5.3));
        cells.add(new CellSummary(new Cell("e", "kafka", "a", Map.of()), 4, 0, 0, 0, 1, List.of(), found));
        String reason =
                "1 of 4 runs of e/kafka/a have no sustainableRate to rely on: the limit was not found, or others"
                        + " used the machine";
        assertOutcome("sustainableRate(e,kafka,a) > 90", "not decidable", reason);
        assertOutcome("sustainableRate(e,kafka,a) < 90", "not decidable", reason);
        assertOutcome("publishLatency99pct(e,kafka,a) > 1", "holds", "the intervals are apart");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rises | 1 2, 3 4, 5 6       | holds         | the first and the last case are apart, and no two have the opposite order",
                "rises | 1 2, 1 9, 5 6       | holds         | the first and the last case are apart, and no two have the opposite order",
                "rises | 1 2, 8 9, 5 6       | does not hold | it falls from c2 to c3",
                "rises | 5 6, 3 4, 7 8       | does not hold | it falls from c1 to c2",
                "rises | 5 6, 5 6, 5.5 7     | not decidable | the intervals of the first and the last case overlap",
                "falls | 5 6, 3 4, 1 2       | holds         | the first and the last case are apart, and no two have the opposite order",
                "falls | 5 6, 3 4, 5 6       | does not hold | it rises from c2 to c3",
                "flat  | 95 105, 98 102, 97 99     | holds         | all cases lie within 10 % of their mean",
                "flat  | 80 120, 98 102, 99 101    | not decidable | intervals extend beyond the 10 % around the mean",
                "flat  | 60 70, 98 102, 99 101     | does not hold | c1 lies more than 10 % from the mean of all",
                "flat within 1% | 95 105, 98 102, 97 99 | not decidable | intervals extend beyond the 1 % around the mean",
            })
    void trendsAreDecidedByTheIntervalsOfTheCases(String trend, String cases, String outcome, String reason)
            throws Exception {
        int number = 0;
        for (String limits : cases.split(", ")) {
            String[] both = limits.split(" ");
            number++;
            cell("k", "c" + number, Double.parseDouble(both[0]), Double.parseDouble(both[1]));
        }
        assertOutcome(trend + "(publishRate(e,k,*))", outcome, reason);
    }

    @Test
    void whatRestsOnSurvivorsSaysHowManyRunsWereLeftOut() throws Exception {
        cell("good", "a", 1, 2);
        cell("survivors", "a", 5, 2, 1, Map.of("publishRate", Estimate.of(5, 6, 7)));
        assertOutcome(
                "publishRate(e,good,a) < publishRate(e,survivors,a)",
                "holds",
                "the intervals are apart; left out as INVALID or failed: 3 of 6 runs of e/survivors/a");
    }

    @Test
    void aCellThatIsNotKnownWellEnoughIsNamed() throws Exception {
        cell("good", "a", 1, 2);
        cell("once", "a", 1, 0, 0, Map.of("publishRate", Estimate.of(5)));
        cell("absent", "a", 0, 0, 0, Map.of());
        cell("failed", "a", 0, 0, 3, Map.of());
        cell("invalid", "a", 2, 2, 0, Map.of("publishRate", Estimate.of(5, 6)));
        cell("other", "a", 2, 0, 0, Map.of("consumeRate", Estimate.of(5, 6)));
        assertOutcome(
                "publishRate(e,good,a) < publishRate(e,once,a)",
                "direction only",
                "there is only one run of e/once/a; the medians agree with the claim");
        cell("twice", "a", 2, 0, 0, Map.of("publishRate", Estimate.of(5, 6)));
        assertOutcome(
                "publishRate(e,good,a) > publishRate(e,twice,a)",
                "not decidable",
                "there are only two runs of e/twice/a; the medians contradict the claim");
        cell("zero", "a", 5, 0, 0, Map.of("publishRate", Estimate.of(5, 6, 0, 5, 6)));
        assertOutcome(
                "publishRate(e,good,a) < publishRate(e,zero,a)",
                "direction only",
                "a value is 0, so fewer than six runs give no interval of e/zero/a; the medians agree with the claim");
        assertOutcome("publishRate(e,good,a) < publishRate(e,absent,a)", "not decidable", "e/absent/a was not run");
        assertOutcome(
                "publishRate(e,good,a) < publishRate(e,failed,a)",
                "not decidable",
                "e/failed/a has failed in every run");
        assertOutcome(
                "publishRate(e,good,a) < publishRate(e,invalid,a)",
                "not decidable",
                "all runs of e/invalid/a are INVALID");
        assertOutcome(
                "publishRate(e,good,a) < publishRate(e,other,a)", "not decidable", "e/other/a has no publishRate");
        assertThat(judge("publishRate(e,good,a) < publishRate(e,once,a)").values())
                .extracting(Judgement.Value::system)
                .containsExactly("good", "once");
    }

    @Test
    void aShortenedPlanShowsADirectionAndTheNumbers() throws Exception {
        cell("fast", "a", 190, 210);
        Judgement judgement = judge("publishRate(e,fast,a) > 1", 0.02);
        assertThat(judgement.outcome()).isEqualTo(Judgement.ClaimVerdict.DIRECTION_ONLY);
        assertThat(judgement.reason())
                .isEqualTo("the runs were shortened, time scale 0.02; the medians agree with the claim");
        assertThat(judge("publishRate(e,fast,a) < 1", 0.02).outcome()).isEqualTo(Judgement.ClaimVerdict.NOT_DECIDABLE);
        assertThat(judgement.values())
                .singleElement()
                .satisfies(value -> assertThat(value.estimate()).isNotNull());
    }

    @Test
    void inAShortenedPlanACellThatWasNotRunIsNamedFirst() throws Exception {
        cell("fast", "a", 190, 210);
        cell("slow", "a", 0, 0, 0, Map.of());
        Judgement judgement = judge("publishRate(e,fast,a) > publishRate(e,slow,a)", 0.02);
        assertThat(judgement.outcome()).isEqualTo(Judgement.ClaimVerdict.NOT_DECIDABLE);
        assertThat(judgement.reason()).isEqualTo("e/slow/a was not run");

        cell("invalid", "a", 1, 1, 0, Map.of("publishRate", Estimate.of(5)));
        assertThat(judge("publishRate(e,invalid,a) > publishRate(e,slow,a)", 0.02)
                        .reason())
                .isEqualTo("all runs of e/invalid/a are INVALID; 1 cell was not run");
    }

    @Test
    void everyPartHasToAgreeForADirection() throws Exception {
        cell("once", "a", 1, 0, 0, Map.of("publishRate", Estimate.of(5)));
        cell("more", "a", 3, 0, 0, Map.of("publishRate", Estimate.of(6, 6.1, 6.2)));
        assertOutcome(
                "publishRate(e,once,a) > 4 and publishRate(e,more,a) > 7",
                "does not hold",
                "the intervals are apart in the opposite order");
        assertOutcome(
                "publishRate(e,once,a) > 5.5 and publishRate(e,more,a) > 5",
                "not decidable",
                "there is only one run of e/once/a; the medians contradict the claim");
        assertOutcome(
                "publishRate(e,once,a) > 4 and publishRate(e,more,a) > 5",
                "direction only",
                "there is only one run of e/once/a; the medians agree with the claim");
    }

    /** More runs of the single one could not decide it either. */
    @Test
    void intervalsThatOverlapAreNoDirection() throws Exception {
        cell("a", "a", 10, 20);
        cell("b", "a", 12, 22);
        cell("once", "a", 1, 0, 0, Map.of("publishRate", Estimate.of(5)));
        assertOutcome(
                "publishRate(e,a,a) < publishRate(e,b,a) and publishRate(e,once,a) > 4",
                "not decidable",
                "the intervals overlap");
    }

    @Test
    void trendsOfSingleRunsShowADirection() throws Exception {
        cell("k", "c1", 1, 0, 0, Map.of("publishRate", Estimate.of(5)));
        cell("k", "c2", 1, 0, 0, Map.of("publishRate", Estimate.of(7)));
        assertThat(judge("rises(publishRate(e,k,*))").outcome().words()).isEqualTo("direction only");
        assertThat(judge("falls(publishRate(e,k,*))").outcome().words()).isEqualTo("not decidable");
        assertThat(judge("flat within 20% (publishRate(e,k,*))").outcome().words())
                .isEqualTo("direction only");
        assertThat(judge("flat within 10% (publishRate(e,k,*))").outcome().words())
                .isEqualTo("not decidable");
    }

    @Test
    void standardDeviationsAreDecidedByTheirIntervals() throws Exception {
        Map<String, Estimate> wild = Map.of("publishRate", Estimate.of(100, 900, 200, 800, 300, 700));
        cell("steady", "a", 6, 0, 0, Map.of("publishRate", Estimate.of(500, 501, 502, 503, 504, 505)));
        cell("wild", "a", 7, 0, 0, wild);
        cell("few", "a", 3, 0, 0, Map.of("publishRate", Estimate.of(500, 501, 502)));
        cell("once", "a", 1, 0, 0, Map.of("publishRate", Estimate.of(500)));
        assertOutcome("publishRateSd(e,steady,a) < 10", "holds", "the intervals are apart");
        assertOutcome(
                "publishRateSd(e,steady,a) > 0.1 * publishRate(e,steady,a)",
                "does not hold",
                "the intervals are apart in the opposite order");
        assertOutcome(
                "publishRateSd(e,few,a) < publishRateSd(e,steady,a)",
                "direction only",
                "fewer than 5 runs give no interval of the standard deviation of e/few/a;"
                        + " the medians agree with the claim");
        assertOutcome("publishRateSd(e,once,a) < 10", "not decidable", "there is only one run of e/once/a");
        assertOutcome("publishRateSd(e,wild,a) > 1", "not decidable", "1 of 7 runs of e/wild/a have no publishRateSd");
        assertThat(judge("publishRateSd(e,steady,a) < 10").values())
                .singleElement()
                .satisfies(value -> assertThat(
                                Objects.requireNonNull(value.estimate()).median())
                        .isCloseTo(1.87, within(0.01)));
    }

    /** Also of cells whose runs all failed, or are all INVALID. */
    @Test
    void claimsAskHowManyRunsShowedAWeakness() throws Exception {
        cell("all", "a", 0, 0, 3, Map.of("failure", Estimate.ofShares(100, 100, 100)));
        cell("one", "a", 2, 2, 1, Map.of("failure", Estimate.ofShares(100, 0, 0)));
        cell("once", "a", 0, 0, 1, Map.of("failure", Estimate.ofShares(100)));
        cell("absent", "a", 0, 0, 0, Map.of());
        assertOutcome("failure(e,all,a) > 50", "holds", "the intervals are apart");
        assertOutcome("failure(e,all,a) < 50", "does not hold", "the intervals are apart in the opposite order");
        assertOutcome("failure(e,one,a) > 50", "not decidable", "the intervals overlap");
        assertThat(judge("failure(e,once,a) > 50").outcome().words()).isEqualTo("direction only");
        assertOutcome("failure(e,absent,a) > 50", "not decidable", "e/absent/a was not run");
    }

    @Test
    void aQuotientByWhatMayBeZeroIsNotKnown() throws Exception {
        cell("fast", "a", 190, 210);
        cell("slow", "a", -1, 1);
        assertOutcome("publishRate(e,fast,a) / publishRate(e,slow,a) > 1", "not decidable", "the intervals overlap");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "publishRat(e,kafka,a) > 1     | 1  | unknown metric, did you mean 'publishRate'? ('publishRat')",
                "p99(e,kafka,a) > 1            | 1  | unknown metric, did you mean 'scheduledEndToEndLatency99pct'? ('p99')",
                "publishRate(f,kafka,a) > 1    | 13 | unknown experiment, did you mean 'e'? ('f')",
                "publishRate(e,kafkka,a) > 1   | 15 | unknown system of e, did you mean 'kafka'? ('kafkka')",
                "publishRate(e,kafka,zzz) > 1  | 21 | unknown case of e, must be one of a ('zzz')",
                "publishRate(e,kafka,z*) > 1   | 22 | expected ')', found '*'",
                "publishRate(e,kafka,\"z*\") > 1 | 21 | no case of e matches 'z*'",
            })
    void namesThatAreNotInThePlanAreRefusedWithTheirColumn(String expression, int column, String message) {
        Cells plan = new Cells(List.of(new Cell("e", "kafka", "a", Map.of())));
        assertThatThrownBy(() -> new ClaimNames(plan).parse(expression.strip()))
                .isInstanceOfSatisfying(
                        ParseException.class,
                        e -> assertThat(e.getErrorOffset() + 1).isEqualTo(column))
                .hasMessage(message);
    }

    @Test
    void runsThatAreNoRepetitionsOfEachOtherDecideNothing() throws Exception {
        cells.add(new CellSummary(
                new Cell("e", "kafka", "a", Map.of()), 2, 0, 0, 0, 0, List.of("jdk 17", "jdk 21"), Map.of()));
        assertOutcome(
                "publishRate(e,kafka,a) > 1",
                "not decidable",
                "the runs of e/kafka/a are not repetitions of each other: jdk 17; jdk 21");
    }
}
