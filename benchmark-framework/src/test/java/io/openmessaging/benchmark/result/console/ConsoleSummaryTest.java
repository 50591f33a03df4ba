package io.openmessaging.benchmark.result.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.audit.AuditFixture;
import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.result.ClockBound;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.GoldenFile;
import io.openmessaging.benchmark.result.ResourceLimits;
import io.openmessaging.benchmark.result.ResultFixture;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.file.ResultFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class ConsoleSummaryTest {

    private static final Path FILE = Path.of("results", "some-workload-Kafka-2026-11-21-10-15-30.json");

    static Stream<Arguments> results() {
        return Stream.of(
                result("two-subscriptions", ResultFixture::twoSubscriptions),
                result("search", ResultFixture::search),
                result("failed", ResultFixture::failed),
                result("compact", ResultFixture::compact),
                result("steps", ResultFixture::steps),
                result("sweep", ResultFixture::sweep),
                result("two-workers", ResultFixture::twoWorkers));
    }

    private static Arguments result(String name, Supplier<RunResult> result) {
        return Arguments.of(name, result.get());
    }

    @ParameterizedTest
    @MethodSource("results")
    void isAsSealed(String name, RunResult result) throws IOException {
        GoldenFile.assertSame(name + ".txt", ConsoleSummary.render(result, FILE));
    }

    @ParameterizedTest
    @MethodSource("results")
    void fitsTheScreenWhateverWasFound(String name, RunResult result) {
        List<Finding> findings = IntStream.range(0, 60)
                .<Finding>mapToObj(i -> Finding.errors(("kind " + i + " of error ").repeat(1 + i * 7 % 12), i))
                .toList();

        List<String> lines = ConsoleSummary.render(ResultFixture.withFindings(result, findings), FILE)
                .lines()
                .toList();

        assertThat(lines).as(name).hasSizeBetween(20, ConsoleSummary.MAX_LINES);
        assertThat(lines).as(name).allSatisfy(line -> assertThat(line.length()).isLessThan(101));
        long shown = lines.stream().filter(line -> line.contains("error, ")).count();
        assertThat(lines)
                .as(name)
                .anyMatch(line -> line.strip().equals((60 - shown) + " more findings are in the result"));
    }

    @Test
    void oneFindingThatDoesNotFitIsSingular() {
        List<String> rest = IntStream.range(0, 40)
                .mapToObj(count -> Stream.concat(
                                IntStream.range(0, count).mapToObj(Finding::sendErrors),
                                Stream.of(Finding.errors("a long kind of error ".repeat(12), 1)))
                        .toList())
                .flatMap(findings -> ConsoleSummary.render(
                                ResultFixture.withFindings(ResultFixture.failed(), findings), FILE)
                        .lines())
                .map(String::strip)
                .filter(line -> line.contains(" more finding"))
                .toList();
        assertThat(rest)
                .contains("1 more finding is in the result")
                .doesNotContain("1 more findings are in the result");
    }

    @Test
    void aFullMachineIsAmongWhatToLookAt() {
        List<Finding> findings = List.of(
                Finding.sendErrors(1),
                Finding.notSteady(1, 2),
                Finding.hostSaturated("host", 1, true, Finding.Severity.NOTE));
        assertThat(ConsoleSummary.render(ResultFixture.withFindings(ResultFixture.failed(), findings), FILE))
                .contains("  what to do    bin/benchmark explain SendErrors NotSteady HostSaturated");
    }

    @Test
    void noFindingIsLeftOutOfWhatToDo() {
        List<Finding> findings = List.of(
                Finding.sendErrors(1), Finding.unknownMessages(2), Finding.errors("x", 1), Finding.notSteady(1, 2));
        assertThat(ConsoleSummary.render(ResultFixture.withFindings(ResultFixture.failed(), findings), FILE))
                .contains("  what to do    bin/benchmark explain " + FILE + "\n");
    }

    @Test
    void showsEveryFindingThatFits() {
        List<Finding> findings = List.of(Finding.sendErrors(1), Finding.unknownMessages(2));
        assertThat(ConsoleSummary.render(ResultFixture.withFindings(ResultFixture.failed(), findings), FILE))
                .contains("  invalid       1 messages could not be published\n")
                .contains("  invalid       2 messages arrived that")
                .doesNotContain("more findings");
    }

    @Test
    void addsUpManySubscriptions() {
        RunResult result = ResultFixture.twoSubscriptions();
        List<AuditReport.SubscriptionReport> subscriptions = IntStream.range(0, 12)
                .mapToObj(i ->
                        AuditFixture.subscription(i, 1000, 1000, i == 7 ? 1 : 0, i == 7 ? 1 : 0, 2, 0, 0, List.of()))
                .toList();

        String text = ConsoleSummary.render(withAudit(result, new AuditReport(1, 1000, 0, subscriptions)), FILE);

        assertThat(text)
                .containsPattern("(?m)^  all 12 together +12,000 +12,000 +1 +0 +1 +24$")
                .doesNotContain("subscription 0");
    }

    @Test
    void saysThatNobodyWasToReceive() {
        String text = ConsoleSummary.render(
                withAudit(ResultFixture.twoSubscriptions(), new AuditReport(1, 1000, 0, List.of())), FILE);
        assertThat(text).contains("  audit         no consumers, nothing to audit\n");
    }

    @Test
    void anOrderThatNobodyCanJudgeIsNoNumber() {
        RunResult told = ResultFixture.twoSubscriptions();
        AuditReport untold = Objects.requireNonNull(told.audit()).withoutOrder();
        assertThat(ConsoleSummary.render(withAudit(told, untold), FILE))
                .containsPattern("(?m)^  subscription 1 +29,990 +29,990 +0 +0 +0 +not judged$");
    }

    @Test
    void aSweepWithoutAKneeSaysSo() {
        assertThat(ConsoleSummary.render(ResultFixture.sweep(0), FILE))
                .contains("no rate was sustained; the figures above are those of the first")
                .containsPattern("(?m)^ +1,000 +1,000 .* no: pace$");
    }

    @Test
    void aRunWithoutAnAuditSaysSoInItsHeadline() {
        String headline = ConsoleSummary.render(withAudit(ResultFixture.compact(), null), FILE)
                .lines()
                .findFirst()
                .orElseThrow();
        assertThat(headline).contains(", not audited");
    }

    @Test
    void neverCutsAPath() {
        Path file = Path.of("x".repeat(150), "y".repeat(100) + ".json");
        assertThat(ConsoleSummary.render(ResultFixture.failed(), file))
                .contains("  result        " + file + "\n", "  histograms    " + ResultFiles.logOf(file) + "\n");
    }

    @Test
    void whereClocksAreTooFarApartItSaysWhatIsGiven() {
        ClockBound apart = new ClockBound(5_000_000, 1_000_000L);
        RunResult some = ResultFixture.compact();
        RunResult none = ResultFixture.failed();
        assertThat(ConsoleSummary.render(with(some, some.audit(), apart), FILE))
                .contains(
                        "  clocks        within ± 5.00 ms of one another: end-to-end latencies are of messages on one")
                .containsPattern("(?m)^ {16}worker only$");
        assertThat(ConsoleSummary.render(with(none, none.audit(), apart), FILE))
                .contains("  clocks        within ± 5.00 ms of one another: no end-to-end latency is given\n");
    }

    private static RunResult withAudit(RunResult result, @Nullable AuditReport audit) {
        return with(result, audit, null);
    }

    private static RunResult with(RunResult result, @Nullable AuditReport audit, @Nullable ClockBound clocks) {
        return new RunResult(
                result.runId(),
                result.verdict(),
                result.findings(),
                result.failure(),
                result.workload(),
                result.driver(),
                result.broker(),
                result.environment(),
                result.beginNs(),
                result.endNs(),
                result.headerLayout(),
                result.targetRateMsgPerSec(),
                result.phases(),
                result.warmup(),
                ResultFixture.periods(result.measured()),
                result.search(),
                audit,
                result.usage(),
                result.ceiling(),
                result.errors(),
                ResourceLimits.NONE,
                RunResult.Course.PLAIN,
                List.of(),
                clocks);
    }

    @Test
    void theFiguresAreShownWhereTheResultCouldNotBeWritten() {
        assertThat(ConsoleSummary.render(ResultFixture.failed(), null))
                .contains("could not be written")
                .doesNotContain("histograms");
    }
}
