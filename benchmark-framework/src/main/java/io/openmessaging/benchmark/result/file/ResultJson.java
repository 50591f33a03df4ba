package io.openmessaging.benchmark.result.file;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.LatencySummary;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.PlanPlace;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.result.RunResult;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The result file: OMB's fields with OMB's meaning and unit, and everything else that is known about a run.
 *
 * <p>The fields come in a reader's order: verdict, what was run, the figures of the whole measurement, the audit, the
 * figures period by period, the setup, and last the long distributions. Names end in their unit, except for OMB's (see
 * {@link OmbFields}) and rates, which are messages per second; MB are 10⁶ bytes, MiB 2²⁰. Decimals are rounded to six
 * digits after the decimal point. Values that are unknown or were not measured are {@code null}; {@code notMeasured}
 * names such latencies of OMB. {@code metrics} has what runs are compared by ({@link RunMetrics}).
 *
 * <p>Latencies from the intended send have fields of the same form as OMB's, and only if they were measured.
 * Passwords, tokens and the like are replaced by {@code ***} in all configuration.
 */
public final class ResultJson {

    /** Raised when a field changes its meaning or is removed; not when one is added. */
    private static final int SCHEMA_VERSION = 1;

    public static final String SCHEMA = "schemaVersion";
    public static final String VERDICT = "verdict";
    public static final String BEGIN_TIME = "beginTime";
    public static final String TARGET_RATE = "targetRate";
    public static final String SUSTAINABLE_RATE = "sustainableRate";

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSX", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final RunResult result;
    private final @Nullable PeriodSnapshot measured;
    private final Fields root = new Fields();

    private ResultJson(RunResult result) {
        this.result = result;
        this.measured = result.total();
    }

    /** Returns the text of the result file. */
    public static String render(RunResult result) {
        return render(result, null);
    }

    /**
     * Returns the text of the result file.
     *
     * @param place the place of the run in a plan; null without a plan, which leaves the field out
     */
    static String render(RunResult result, @Nullable PlanPlace place) {
        ResultJson json = new ResultJson(result);
        json.addAll(place);
        ObjectNode tree = JsonText.tree(json.root);
        RunMetrics.addTo(tree);
        return JsonText.of(tree);
    }

    /** Adds an environment in the fields that a result has for it. */
    public static void addEnvironment(ObjectNode root, Environment environment) {
        root.set("environment", SetupFields.environment(environment));
    }

    private void addAll(@Nullable PlanPlace place) {
        PeriodSnapshot total = measured == null ? nothingMeasured() : measured;
        addVerdict();
        if (place != null) {
            addPlace(place);
        }
        OmbFields.addSetup(root, result);
        addFigures();
        root.add(RunMetrics.FIELD, Map.of());
        CourseFields.addSlo(root, result.course().slo());
        OmbFields.addNotMeasured(root, total);
        CourseFields.addConsumed(root, result.course().foreign());
        root.add("audit", result.audit(), this::audit)
                .add("auditOff", result.audit() == null ? result.whyNoAudit() : null)
                .add("errors", new TreeMap<>(result.errors()))
                .add("harness", result.usage(), this::harness)
                .add("stalls", measured, seen -> latencyIfAny(seen.stalls()))
                .addEach("phases", result.phases(), ResultJson::phase)
                .add("search", result.search(), this::search)
                .addEach("steps", result.course().steps(), this::step)
                .add("rateSweep", result.course().rateSweep(), CourseFields::sweep);
        FaultFields.add(root, result);
        OmbFields.addPeriods(root, result.measured(), total);
        root.addEach("periods", result.measured(), ResultJson::period);
        ResourceFields.add(root, result);
        root.add(RunMetrics.BY_PERIOD, Map.of());
        root.addEach("warmup", result.warmup(), ResultJson::warmup);
        OmbFields.addAggregates(root, total);
        SetupFields.add(root, result);
        OmbFields.addQuantiles(root, total);
        WorkerFields.addWorkers(root, result);
    }

    /** Returns a period without samples, so that a run without a measurement has the same fields as any other. */
    private PeriodSnapshot nothingMeasured() {
        return new PeriodSnapshot(result.endNs(), result.endNs(), Totals.none(0), Totals.none(0), Map.of());
    }

    private void addVerdict() {
        root.add(SCHEMA, SCHEMA_VERSION)
                .add("runId", result.runId())
                .add(VERDICT, result.verdict())
                .add("findings", result.findings())
                .add("failure", result.failure())
                .add(BEGIN_TIME, time(result.beginNs()))
                .add("endTime", time(result.endNs()));
    }

    private void addPlace(PlanPlace place) {
        Fields fields = new Fields()
                .add("name", place.plan())
                .add("experiment", place.experiment())
                .add("system", place.system())
                .add("case", place.caseName())
                .add("parameters", SetupFields.masked(place.parameters()))
                .add("repetition", place.repetition())
                .add("timeScale", place.timeScale());
        root.add("plan", fields);
    }

    private void addFigures() {
        root.add("subscriptionsPerTopic", result.workload().workload().subscriptionsPerTopic())
                .add("headerLayout", result.headerLayout());
        Workload workload = result.workload().workload();
        if (workload.messageSizeDistribution() != null) {
            root.add("messageSizes", sizes(workload));
        }
        root.add(TARGET_RATE, result.targetRateMsgPerSec()).add(SUSTAINABLE_RATE, result.confirmedRateMsgPerSec());
        CourseFields.addSummary(root, result);
        root.add("rates", measured, this::rates)
                .add("counts", measured, PeriodSnapshot::counts)
                .add("latencies", measured, ResultJson::latencies)
                .add("censored", measured == null ? null : result.course().tail(), RunResult.Tail::censored);
        WorkerFields.addClocks(root, result, measured);
    }

    /** Sizes of messages that do not all have the same size. */
    private Fields sizes(Workload workload) {
        return new Fields()
                .add("records", workload.recordCount() == 0 ? null : workload.recordCount())
                .add("minBytes", workload.smallestMessageBytes())
                .add("meanBytes", workload.meanMessageBytes())
                .add("maxBytes", workload.largestMessageBytes())
                .add("sentMeanBytes", measured, result::meanMessageBytes);
    }

    private Fields rates(PeriodSnapshot total) {
        double mbPerMessage = result.meanMessageBytes(total) / Quantities.BYTES_PER_MB;
        RunResult.Rates rates = result.rates(total);
        return new Fields()
                .add("seconds", total.seconds())
                .add("send", rates.send())
                .add("publish", rates.publish())
                .add("publishError", total.publishErrorRate())
                .add("consume", rates.consume())
                .add("publishMBPerSec", rates.publish() * mbPerMessage)
                .add("consumeMBPerSec", rates.consume() * mbPerMessage);
    }

    static Fields latencies(PeriodSnapshot seen) {
        return ofEachLatency(latency -> latencyIfAny(seen.latency(latency)));
    }

    /** All figures of a latency; null without a sample. */
    static @Nullable Fields latencyIfAny(LatencySnapshot latencies) {
        return ifAny(latencies, ResultJson::latency);
    }

    private static Fields ofEachLatency(Function<Latency, @Nullable Object> value) {
        Fields latencies = new Fields();
        for (Latency latency : Latency.values()) {
            latencies.add(latency.label(), value.apply(latency));
        }
        return latencies;
    }

    private static @Nullable Fields ifAny(LatencySnapshot latencies, Function<LatencySummary, Fields> figures) {
        return latencies.count() == 0 ? null : figures.apply(latencies.summary());
    }

    private static Fields latency(LatencySummary summary) {
        Fields percentiles = new Fields();
        summary.percentileNs()
                .forEach((percentile, valueNs) -> percentiles.add(Quantities.decimalText(percentile), valueNs));
        Stream<Double> few = summary.percentileNs().keySet().stream().filter(summary::restsOnFew);
        return new Fields()
                .add("count", summary.count())
                .add("minNs", summary.minNs())
                .add("meanNs", summary.meanNs())
                .add("percentilesNs", percentiles)
                .add("fewSamples", few.map(Quantities::decimalText).toList())
                .add("maxNs", summary.maxNs())
                .add("zeroCount", summary.zeroCount())
                .add("negativeCount", summary.negativeCount())
                .add("saturatedCount", summary.saturatedCount());
    }

    private Fields audit(AuditReport audit) {
        boolean checked = result.workload().workload().verifyPayloads();
        boolean doubtful = audit.inDoubt() > 0 || audit.producersInDoubt() > 0;
        Fields fields = new Fields()
                .add("producers", audit.producers())
                .add("sent", audit.sent())
                .add("failed", audit.failed())
                .add("lost", audit.lost())
                .add("undelivered", audit.undelivered());
        if (doubtful) {
            fields.add("inDoubt", audit.inDoubt()).add("producersInDoubt", audit.producersInDoubt());
        }
        return fields.add("duplicated", audit.duplicated())
                .add("outOfOrder", audit.outOfOrder())
                .add("damaged", checked ? audit.damaged() : null)
                .addEach(
                        "subscriptions",
                        audit.subscriptions(),
                        subscription -> subscription(subscription, checked, doubtful));
    }

    private static ObjectNode subscription(
            AuditReport.SubscriptionReport subscription, boolean payloadsChecked, boolean doubtful) {
        ObjectNode node = JsonText.tree(subscription);
        if (!doubtful) {
            node.remove("inDoubt");
        }
        if (!payloadsChecked) {
            node.putNull("damaged");
        }
        // The longest field comes last.
        return node.set("firstLost", node.remove("firstLost"));
    }

    private Fields harness(HarnessUsage usage) {
        return usage(usage).add("calibration", result.ceiling(), ResultJson::calibration);
    }

    /** The resources that processes have used. */
    static Fields usage(HarnessUsage usage) {
        return new Fields()
                .add("usedProcessors", usage.cores())
                .add("processors", usage.processors())
                .add("collections", usage.collections())
                .add("collectionMs", usage.collectionMs())
                .add("collectionShare", usage.collectionShare());
    }

    private static Fields calibration(RunResult.Ceiling ceiling) {
        return new Fields()
                .add("time", TIME.format(ceiling.calibration().time()))
                .add("quick", ceiling.calibration().quick())
                .add("busyMachine", ceiling.calibration().machine().busy())
                .add("sendingThreads", ceiling.sendingThreads())
                .add("ceiling", ceiling.msgPerSec())
                .add("ceilingOneThread", ceiling.calibration().ceilingMsgPerSec());
    }

    private static Fields phase(RunResult.Phase phase) {
        return addSpan(new Fields().add("name", phase.name()), phase.startNs(), phase.endNs());
    }

    static Fields addSpan(Fields fields, long startNs, long endNs) {
        return fields.add("start", time(startNs)).add("end", time(endNs)).add("seconds", (endNs - startNs) / 1e9);
    }

    private Fields search(RunResult.Search search) {
        return new Fields()
                .add("foundRate", search.sustainableRateMsgPerSec())
                .add("confirmed", result.confirmedRateMsgPerSec() != null && !search.corrected())
                .add("range", search.range(), ResultJson::range)
                .addEach("steps", search.steps(), ResultJson::searched)
                .add("audit", search.audit(), this::audit);
    }

    private static Fields range(RunResult.RateRange range) {
        return new Fields()
                .add("low", range.lowMsgPerSec())
                .add("high", range.highMsgPerSec())
                .add("found", range.isFound());
    }

    private static Fields searched(RunResult.SearchStep step) {
        return new Fields()
                .add(TARGET_RATE, step.targetMsgPerSec())
                .add("confirming", step.confirming())
                .add("achievedRate", step.achievedMsgPerSec())
                .add("backlogGrowth", step.backlogGrowthMessages())
                .add("sustained", step.sustained())
                .add("reason", step.breach(), RunResult.Breach::rule)
                .add("reasonText", step.breach(), RunResult.Breach::text);
    }

    private Fields step(RunResult.LoadStep step) {
        return CourseFields.step(step, result.measured().get(0).startNs());
    }

    private static Fields period(PeriodSnapshot period) {
        return addSpan(new Fields(), period.startNs(), period.endNs())
                .addAll(period.counts())
                .add("samples", ofEachLatency(latency -> period.latency(latency).count()))
                .add("stalls", ifAny(period.stalls(), ResultJson::latencyInShort));
    }

    private static Fields warmup(PeriodSnapshot period) {
        return addSpan(new Fields(), period.startNs(), period.endNs())
                .add("publishRate", period.publishRate())
                .add("consumeRate", period.consumeRate())
                .add("backlog", period.totals().backlog())
                .add("latencies", ofEachLatency(latency -> ifAny(period.latency(latency), ResultJson::latencyInShort)));
    }

    private static Fields latencyInShort(LatencySummary summary) {
        return new Fields()
                .add("count", summary.count())
                .add("p50Ns", summary.atNs(50))
                .add("p99Ns", summary.atNs(99))
                .add("p999Ns", summary.atNs(99.9))
                .add("maxNs", summary.maxNs());
    }

    private static String time(long epochNs) {
        return TIME.format(Instant.EPOCH.plusNanos(epochNs));
    }
}
