package io.openmessaging.benchmark.result.file;

import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.result.RateSweep;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.RunResult.LoadStep;
import io.openmessaging.benchmark.result.RunResult.SloOutcome;
import io.openmessaging.benchmark.result.RunResult.Transfer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The part of the result file that says what a measurement went through, where it is more than one stretch of load. */
final class CourseFields {

    static final String CENSORED = "censored";
    static final String SATURATION = "saturation";
    static final String STEP_PRODUCERS = "producers";
    static final String STEP_CONSUMERS = "consumers";
    static final String SLO = "slo";
    static final String SLO_PASSED = "passed";
    static final String RATE_SWEEP = "rateSweep";
    static final String KNEE = "knee";

    private static final double NS_PER_MS = 1e6;
    private static final double PER_PERCENT = 0.01;

    private CourseFields() {}

    /** What it comes to, in short. */
    static void addSummary(ObjectNode root, RunResult result) {
        root.put("seed", result.course().seed());
        Transfer transfer = result.course().transfer();
        root.set("sendSeconds", transfer == null ? null : JsonText.decimal(transfer.sendSeconds()));
        root.set("publishSeconds", transfer == null ? null : JsonText.decimalOrNull(transfer.publishSeconds()));
        root.set("receiveSeconds", transfer == null ? null : JsonText.decimalOrNull(transfer.receiveSeconds()));
        LoadStep saturation = result.saturation();
        if (saturation == null) {
            root.putNull(SATURATION);
            return;
        }
        ObjectNode node = root.putObject(SATURATION);
        node.put(STEP_PRODUCERS, saturation.producers());
        node.put(STEP_CONSUMERS, saturation.consumers());
        node.set(OmbFields.PUBLISH_RATE, JsonText.decimal(saturation.seen().publishRate()));
    }

    /** Whether the measurement was what the workload demands; null where it demands nothing, or nothing was measured. */
    static void addSlo(ObjectNode root, RunResult result) {
        List<SloOutcome> outcomes = result.course().slo();
        if (outcomes.isEmpty()) {
            root.putNull(SLO);
            return;
        }
        ObjectNode slo = root.putObject(SLO);
        slo.put(SLO_PASSED, outcomes.stream().allMatch(SloOutcome::passed));
        ArrayNode bounds = slo.putArray("bounds");
        for (SloOutcome outcome : outcomes) {
            ObjectNode node = bounds.addObject().put("latency", outcome.key());
            node.set("limitMs", JsonText.decimal(outcome.limitNs() / NS_PER_MS));
            Double valueNs = outcome.valueNs();
            node.set("valueMs", valueNs == null ? null : JsonText.decimal(valueNs / NS_PER_MS));
            node.put("samples", outcome.samples());
            node.put("samplesNeeded", outcome.samplesNeeded());
            node.put(SLO_PASSED, outcome.passed());
        }
    }

    /** An entry for each number of clients. */
    static void addSteps(ObjectNode root, RunResult result) {
        ArrayNode steps = root.putArray("steps");
        for (LoadStep step : result.course().steps()) {
            addStep(steps.addObject(), step, result.measured().get(0).startNs());
        }
    }

    private static void addStep(ObjectNode node, LoadStep step, long beginNs) {
        node.put(STEP_PRODUCERS, step.producers());
        node.put(STEP_CONSUMERS, step.consumers());
        node.put("clean", step.clean());
        node.put("abortedBy", step.breach() == null ? null : step.breach().rule());
        node.put("abortReason", step.breach() == null ? null : step.breach().text());
        node.set("beginMs", JsonText.decimal((step.seen().startNs() - beginNs) / NS_PER_MS));
        addFigures(node, step);
    }

    private static void addFigures(ObjectNode node, LoadStep step) {
        PeriodSnapshot seen = step.seen();
        ResultJson.addSpan(node, seen.startNs(), seen.endNs());
        ObjectNode rates = node.putObject("rates");
        rates.set("send", JsonText.decimal(seen.sendRate()));
        rates.set("publish", JsonText.decimal(seen.publishRate()));
        rates.set("publishError", JsonText.decimal(seen.publishErrorRate()));
        rates.set("consume", JsonText.decimal(seen.consumeRate()));
        node.set("counts", ResultJson.counts(seen.counts()));
        node.set("latencies", ResultJson.latencies(seen));
    }

    /** What rates were gone through, and where the knee is; null if none were. */
    static void addSweep(ObjectNode root, RunResult result) {
        RateSweep sweep = result.course().rateSweep();
        if (sweep == null) {
            root.putNull(RATE_SWEEP);
            return;
        }
        ObjectNode node = root.putObject(RATE_SWEEP);
        addKnee(node, sweep);
        node.set(
                "highestSustainedRate",
                JsonText.decimalOrNull(
                        sweep.highestSustained().map(LoadStep::targetMsgPerSec).orElse(null)));
        ArrayNode steps = node.putArray("steps");
        for (LoadStep step : sweep.steps()) {
            addSweptRate(steps.addObject(), step, sweep);
        }
    }

    private static void addKnee(ObjectNode root, RateSweep sweep) {
        Optional<LoadStep> knee = sweep.knee();
        if (knee.isEmpty()) {
            root.putNull(KNEE);
            return;
        }
        ObjectNode node = root.putObject(KNEE);
        node.set(ResultJson.TARGET_RATE, JsonText.decimalOrNull(knee.get().targetMsgPerSec()));
        node.set(OmbFields.PUBLISH_RATE, JsonText.decimal(knee.get().seen().publishRate()));
        node.put("latency", sweep.latency().map(Latency::label).orElse(null));
        node.put("p99Ns", sweep.latency().isEmpty() ? null : sweep.p99Ns(knee.get()));
    }

    private static void addSweptRate(ObjectNode node, LoadStep step, RateSweep sweep) {
        PeriodSnapshot seen = step.seen();
        node.set(ResultJson.TARGET_RATE, JsonText.decimalOrNull(step.targetMsgPerSec()));
        node.put("sustained", step.clean());
        node.put("reason", step.breach() == null ? null : step.breach().rule());
        node.put("reasonText", step.breach() == null ? null : step.breach().text());
        node.set("power", sweep.latency().isEmpty() ? null : JsonText.decimal(sweep.power(step)));
        addFigures(node, step);
        node.put("backlog", seen.totals().backlog());
        node.put(
                "backlogGrowth",
                seen.totals().backlog() - seen.totals().minus(seen.counts()).backlog());
        ObjectNode used = node.putObject("used");
        addUse(used, "brokerCores", step, Role.BROKER, Figure.CPU_CORE_PERCENT, PER_PERCENT);
        addUse(used, "harnessCores", step, Role.HARNESS, Figure.CPU_CORE_PERCENT, PER_PERCENT);
        addUse(used, "hostIdlePercent", step, Role.HOST, Figure.HOST_IDLE_PERCENT, 1);
    }

    private static void addUse(ObjectNode node, String name, LoadStep step, Role role, Figure figure, double factor) {
        OptionalDouble mean = step.used().sum(role, figure);
        node.set(name, mean.isPresent() ? JsonText.decimal(factor * mean.getAsDouble()) : null);
    }
}
