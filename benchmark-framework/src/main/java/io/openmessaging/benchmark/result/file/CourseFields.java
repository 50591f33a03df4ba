package io.openmessaging.benchmark.result.file;

import io.openmessaging.benchmark.measure.Consumed;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySummary;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.result.RateSweep;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.RunResult.Breach;
import io.openmessaging.benchmark.result.RunResult.Foreign;
import io.openmessaging.benchmark.result.RunResult.LoadStep;
import io.openmessaging.benchmark.result.RunResult.SloOutcome;
import io.openmessaging.benchmark.result.RunResult.Transfer;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The fields of the result file for the course of a measurement that is more than one stretch of load. */
final class CourseFields {

    private static final double NS_PER_MS = 1e6;
    private static final double PER_PERCENT = 0.01;

    private CourseFields() {}

    /** Adds the summary of the course. */
    static void addSummary(Fields root, RunResult result) {
        Transfer transfer = result.course().transfer();
        root.add("seed", result.course().seed())
                .add("sendSeconds", transfer, Transfer::sendSeconds)
                .add("publishSeconds", transfer, Transfer::publishSeconds)
                .add("receiveSeconds", transfer, Transfer::receiveSeconds)
                .add(
                        "saturation",
                        result.saturation(),
                        step -> clients(step)
                                .add(OmbFields.PUBLISH_RATE, step.seen().publishRate()));
    }

    /** Adds whether the measurement met the workload's demands; null if there are none, or if nothing was measured. */
    static void addSlo(Fields root, List<SloOutcome> outcomes) {
        Fields slo = new Fields()
                .add("passed", outcomes.stream().allMatch(SloOutcome::passed))
                .addEach("bounds", outcomes, CourseFields::bound);
        root.add("slo", outcomes.isEmpty() ? null : slo);
    }

    /** Adds what was consumed of messages that others sent; adds no field in a run with producers. */
    static void addConsumed(Fields root, @Nullable Foreign foreign) {
        if (foreign == null) {
            return;
        }
        Consumed consumed = foreign.consumed();
        Fields fields = new Fields()
                .add("messages", consumed.messages())
                .add("bytes", consumed.bytes())
                .add("meanBytes", consumed.meanBytes())
                .add("smallestBytes", consumed.smallestBytes())
                .add("largestBytes", consumed.largestBytes())
                .add("seconds", consumed.spanNs() / 1e9)
                .add("messageTime", foreign.messageTime())
                .add("withoutMessageTime", consumed.withoutTime())
                .add(
                        "sinceMessageTime",
                        consumed.ages().count() == 0
                                ? null
                                : ages(consumed.ages().summary()));
        root.add("consumed", fields);
    }

    /** The values are in milliseconds, whatever the names of the accessors say. */
    private static Fields ages(LatencySummary ofMs) {
        Fields percentiles = new Fields();
        ofMs.percentileNs().forEach((percentile, ms) -> percentiles.add(Quantities.decimalText(percentile), ms));
        return new Fields()
                .add("count", ofMs.count())
                .add("minMs", ofMs.minNs())
                .add("meanMs", ofMs.meanNs())
                .add("percentilesMs", percentiles)
                .add("maxMs", ofMs.maxNs())
                .add("negativeCount", ofMs.negativeCount());
    }

    private static Fields bound(SloOutcome outcome) {
        return new Fields()
                .add("latency", outcome.key())
                .add("limitMs", outcome.limitNs() / NS_PER_MS)
                .add("valueMs", outcome.valueNs(), valueNs -> valueNs / NS_PER_MS)
                .add("samples", outcome.samples())
                .add("samplesNeeded", outcome.samplesNeeded())
                .add("passed", outcome.passed());
    }

    private static Fields clients(LoadStep step) {
        return new Fields().add("producers", step.producers()).add("consumers", step.consumers());
    }

    /** A step with its number of clients. */
    static Fields step(LoadStep step, long beginNs) {
        Fields fields = clients(step)
                .add("clean", step.clean())
                .add("abortedBy", step.breach(), Breach::rule)
                .add("abortReason", step.breach(), Breach::text)
                .add("beginMs", (step.seen().startNs() - beginNs) / NS_PER_MS);
        return addFigures(fields, step.seen());
    }

    private static Fields addFigures(Fields fields, PeriodSnapshot seen) {
        Fields rates = new Fields()
                .add("send", seen.sendRate())
                .add("publish", seen.publishRate())
                .add("publishError", seen.publishErrorRate())
                .add("consume", seen.consumeRate());
        return ResultJson.addSpan(fields, seen.startNs(), seen.endNs())
                .add("rates", rates)
                .add("counts", seen.counts())
                .add("latencies", ResultJson.latencies(seen));
    }

    /** The rates that were measured, and the knee. */
    static Fields sweep(RateSweep sweep) {
        return new Fields()
                .add("knee", sweep.knee().orElse(null), knee -> knee(knee, sweep))
                .add("highestSustainedRate", sweep.highestSustained().orElse(null), LoadStep::targetMsgPerSec)
                .addEach("steps", sweep.steps(), step -> sweptRate(step, sweep));
    }

    private static Fields knee(LoadStep knee, RateSweep sweep) {
        return new Fields()
                .add(ResultJson.TARGET_RATE, knee.targetMsgPerSec())
                .add(OmbFields.PUBLISH_RATE, knee.seen().publishRate())
                .add("latency", sweep.latency().orElse(null), Latency::label)
                .add("p99Ns", sweep.latency().isEmpty() ? null : sweep.p99Ns(knee));
    }

    private static Fields sweptRate(LoadStep step, RateSweep sweep) {
        PeriodSnapshot seen = step.seen();
        long backlog = seen.totals().backlog();
        Fields fields = new Fields()
                .add(ResultJson.TARGET_RATE, step.targetMsgPerSec())
                .add("sustained", step.clean())
                .add("reason", step.breach(), Breach::rule)
                .add("reasonText", step.breach(), Breach::text)
                .add("power", sweep.latency().isEmpty() ? null : sweep.power(step));
        Fields used = new Fields()
                .add("brokerCores", cores(step, Role.BROKER))
                .add("harnessCores", cores(step, Role.HARNESS))
                .add("hostIdlePercent", step.used().least(Role.HOST, Figure.HOST_IDLE_PERCENT));
        return addFigures(fields, seen)
                .add("backlog", backlog)
                .add(
                        "backlogGrowth",
                        backlog - seen.totals().minus(seen.counts()).backlog())
                .add("used", used);
    }

    private static OptionalDouble cores(LoadStep step, Role role) {
        return step.used().sum(role, Figure.CPU_CORE_PERCENT).stream()
                .map(mean -> PER_PERCENT * mean)
                .findFirst();
    }
}
