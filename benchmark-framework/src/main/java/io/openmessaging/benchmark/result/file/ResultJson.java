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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The result file: OMB's fields with OMB's meaning and unit, and beside them everything else that is known of a run.
 *
 * <p>The fields come in the order in which a person wants to read them: verdict, what was run, the figures of the whole
 * measurement, the audit, the figures period by period, what was run on what, and last the long distributions. Names
 * end in their unit, except for OMB's (see {@link OmbFields}) and rates, which are messages a second; MB are 10⁶ bytes, MiB 2²⁰.
 * Decimals are rounded to six digits behind the point. What is not known or was not measured is {@code null}; only OMB's
 * own latencies are 0 then, because scripts expect numbers there, and {@code notMeasured} names them.
 *
 * <p>Latencies from the intended send have fields of the same form as OMB's, and only where they were measured.
 * Passwords, tokens and the like are replaced by {@code ***} wherever configuration is shown.
 */
public final class ResultJson {

    /** Raised when a field changes its meaning or goes away; not when one is added. */
    static final int SCHEMA_VERSION = 1;

    public static final String SCHEMA = "schemaVersion";
    public static final String VERDICT = "verdict";
    public static final String BEGIN_TIME = "beginTime";
    public static final String TARGET_RATE = "targetRate";
    public static final String SUSTAINABLE_RATE = "sustainableRate";

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSX", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final long NS_PER_S = 1_000_000_000L;

    private final RunResult result;
    private final @Nullable PeriodSnapshot measured;
    private final ObjectNode root = JsonNodeFactory.instance.objectNode();

    private ResultJson(RunResult result) {
        this.result = result;
        this.measured = result.total();
    }

    /** The text of the result file. */
    public static String render(RunResult result) {
        return render(result, null);
    }

    /**
     * The text of the result file.
     *
     * @param place where in a plan the run is; null if it is of none, and the field is then left out
     */
    static String render(RunResult result, @Nullable PlanPlace place) {
        ResultJson json = new ResultJson(result);
        json.addAll(place);
        return JsonText.of(json.root);
    }

    /** Says where something ran, in the fields that a result has for it. */
    public static void addEnvironment(ObjectNode root, Environment environment) {
        SetupFields.addEnvironment(root, environment);
    }

    private void addAll(@Nullable PlanPlace place) {
        PeriodSnapshot total = measured == null ? nothingMeasured() : measured;
        addVerdict();
        if (place != null) {
            addPlace(place);
        }
        OmbFields.addSetup(root, result);
        addFigures();
        CourseFields.addSlo(root, result);
        OmbFields.addNotMeasured(root, total);
        addAudit();
        addErrors();
        addHarness();
        root.set("stalls", measured == null ? null : latency(measured.stalls()));
        addPhases();
        addSearch();
        CourseFields.addSteps(root, result);
        CourseFields.addSweep(root, result);
        OmbFields.addPeriods(root, result.measured(), total);
        addPeriods();
        ResourceFields.add(root, result);
        addWarmup();
        OmbFields.addAggregates(root, total);
        SetupFields.add(root, result);
        OmbFields.addQuantiles(root, total);
    }

    /** A period without a sample, so that the fields of a measurement that never came are those of any other. */
    private PeriodSnapshot nothingMeasured() {
        return new PeriodSnapshot(result.endNs(), result.endNs(), Totals.none(0), Totals.none(0), Map.of());
    }

    private void addVerdict() {
        root.put(SCHEMA, SCHEMA_VERSION);
        root.put("runId", result.runId());
        root.put(VERDICT, result.verdict().name());
        ArrayNode findings = root.putArray("findings");
        result.findings().forEach(finding -> findings.add(JsonText.tree(finding)));
        root.put("failure", result.failure());
        root.put(BEGIN_TIME, time(result.beginNs()));
        root.put("endTime", time(result.endNs()));
    }

    private void addPlace(PlanPlace place) {
        ObjectNode node = root.putObject("plan");
        node.put("name", place.plan());
        node.put("experiment", place.experiment());
        node.put("system", place.system());
        node.put("case", place.caseName());
        node.set("parameters", JsonMapper.shared().valueToTree(Secrets.mask(place.parameters())));
        node.put("repetition", place.repetition());
        node.set("timeScale", JsonText.decimal(place.timeScale()));
    }

    private void addFigures() {
        Workload workload = result.workload().workload();
        root.put("subscriptionsPerTopic", workload.subscriptionsPerTopic());
        root.put("headerLayout", result.headerLayout());
        root.set(TARGET_RATE, JsonText.decimalOrNull(result.targetRateMsgPerSec()));
        RunResult.Search search = result.search();
        root.set(SUSTAINABLE_RATE, JsonText.decimalOrNull(search == null ? null : search.sustainableRateMsgPerSec()));
        CourseFields.addSummary(root, result);
        if (measured == null) {
            root.putNull("rates");
            root.putNull("counts");
            root.putNull("latencies");
            root.putNull(CourseFields.CENSORED);
            return;
        }
        double mbPerMessage = workload.meanMessageBytes() / Quantities.BYTES_PER_MB;
        RunResult.Rates of = result.rates(measured);
        ObjectNode rates = root.putObject("rates");
        rates.set("seconds", JsonText.decimal(measured.seconds()));
        rates.set("send", JsonText.decimal(of.send()));
        rates.set("publish", JsonText.decimal(of.publish()));
        rates.set("publishError", JsonText.decimal(measured.publishErrorRate()));
        rates.set("consume", JsonText.decimal(of.consume()));
        rates.set("publishMBPerSec", JsonText.decimal(of.publish() * mbPerMessage));
        rates.set("consumeMBPerSec", JsonText.decimal(of.consume() * mbPerMessage));
        root.set("counts", counts(measured.counts()));
        root.set("latencies", latencies(measured));
        RunResult.Tail tail = result.course().tail();
        root.set(CourseFields.CENSORED, tail == null ? null : JsonText.tree(tail.censored()));
    }

    static ObjectNode counts(Totals counts) {
        return JsonText.tree(counts).without(List.of("duplicated", "impossible"));
    }

    static ObjectNode latencies(PeriodSnapshot seen) {
        ObjectNode latencies = JsonNodeFactory.instance.objectNode();
        for (Latency latency : Latency.values()) {
            latencies.set(latency.label(), latency(seen.latency(latency)));
        }
        return latencies;
    }

    static @Nullable ObjectNode latency(LatencySnapshot latencies) {
        if (latencies.count() == 0) {
            return null;
        }
        LatencySummary summary = latencies.summary();
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("count", summary.count());
        node.put("minNs", summary.minNs());
        node.set("meanNs", JsonText.decimal(summary.meanNs()));
        ObjectNode percentiles = node.putObject("percentilesNs");
        summary.percentileNs()
                .forEach((percentile, valueNs) -> percentiles.put(OmbFields.decimalText(percentile), valueNs));
        ArrayNode few = node.putArray("fewSamples");
        summary.percentileNs().keySet().stream()
                .filter(summary::restsOnFew)
                .forEach(percentile -> few.add(OmbFields.decimalText(percentile)));
        node.put("maxNs", summary.maxNs());
        node.put("zeroCount", summary.zeroCount());
        node.put("negativeCount", summary.negativeCount());
        return node.put("saturatedCount", summary.saturatedCount());
    }

    private void addAudit() {
        root.set("audit", audit(result.audit()));
        root.put("auditOff", result.audit() == null ? result.whyNoAudit() : null);
    }

    private @Nullable ObjectNode audit(@Nullable AuditReport audit) {
        if (audit == null) {
            return null;
        }
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("producers", audit.producers());
        node.put("sent", audit.sent());
        node.put("failed", audit.failed());
        node.put("lost", audit.lost());
        node.put("undelivered", audit.undelivered());
        node.put("duplicated", audit.duplicated());
        node.put("outOfOrder", audit.outOfOrder());
        boolean checked = result.workload().workload().verifyPayloads();
        node.put("damaged", checked ? audit.damaged() : null);
        ArrayNode subscriptions = node.putArray("subscriptions");
        audit.subscriptions().forEach(subscription -> subscriptions.add(subscription(subscription, checked)));
        return node;
    }

    private static ObjectNode subscription(AuditReport.Subscription subscription, boolean payloadsChecked) {
        ObjectNode node = JsonText.tree(subscription);
        node.remove("inDoubt");
        JsonNode damaged = node.remove("damaged");
        JsonNode firstLost = node.remove("firstLost");
        node.set("damaged", payloadsChecked ? damaged : null);
        return node.set("firstLost", firstLost);
    }

    private void addErrors() {
        ObjectNode errors = root.putObject("errors");
        new TreeMap<>(result.errors()).forEach(errors::put);
    }

    private void addHarness() {
        HarnessUsage usage = result.usage();
        if (usage == null) {
            root.putNull("harness");
            return;
        }
        ObjectNode harness = root.putObject("harness");
        harness.set("usedProcessors", JsonText.decimal(usage.cores()));
        harness.put("processors", usage.processors());
        harness.put("collections", usage.collections());
        harness.put("collectionMs", usage.collectionMs());
        harness.set("collectionShare", JsonText.decimal(usage.collectionShare()));
        harness.set("calibration", calibration(result.ceiling()));
    }

    private static @Nullable ObjectNode calibration(RunResult.@Nullable Ceiling ceiling) {
        if (ceiling == null) {
            return null;
        }
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("time", TIME.format(ceiling.calibration().time()));
        node.put("quick", ceiling.calibration().quick());
        node.put("busyMachine", ceiling.calibration().machine().busy());
        node.put("sendingThreads", ceiling.sendingThreads());
        node.set("ceiling", JsonText.decimal(ceiling.msgPerSec()));
        node.set("ceilingOneThread", JsonText.decimal(ceiling.calibration().ceilingMsgPerSec()));
        return node;
    }

    private void addPhases() {
        ArrayNode phases = root.putArray("phases");
        for (RunResult.Phase phase : result.phases()) {
            ObjectNode node = phases.addObject().put("name", phase.name());
            addSpan(node, phase.startNs(), phase.endNs());
        }
    }

    static void addSpan(ObjectNode node, long startNs, long endNs) {
        node.put("start", time(startNs));
        node.put("end", time(endNs));
        node.set("seconds", JsonText.decimal((endNs - startNs) / (double) NS_PER_S));
    }

    private void addSearch() {
        RunResult.Search search = result.search();
        if (search == null) {
            root.putNull("search");
            return;
        }
        ObjectNode searched = root.putObject("search");
        ArrayNode steps = searched.putArray("steps");
        for (RunResult.Step step : search.steps()) {
            ObjectNode node = steps.addObject();
            node.set(TARGET_RATE, JsonText.decimal(step.targetMsgPerSec()));
            node.set("achievedRate", JsonText.decimal(step.achievedMsgPerSec()));
            node.put("backlogGrowth", step.backlogGrowthMessages());
            node.put("sustained", step.sustained());
            node.put("brokenBound", step.breach() == null ? null : step.breach().text());
        }
        searched.set("audit", audit(search.audit()));
    }

    private void addPeriods() {
        ArrayNode periods = root.putArray("periods");
        for (PeriodSnapshot period : result.measured()) {
            ObjectNode node = periods.addObject();
            addSpan(node, period.startNs(), period.endNs());
            node.setAll(counts(period.counts()));
            ObjectNode samples = node.putObject("samples");
            for (Latency latency : Latency.values()) {
                samples.put(latency.label(), period.latency(latency).count());
            }
            node.set("stalls", latencyInShort(period.stalls()));
        }
    }

    private void addWarmup() {
        ArrayNode periods = root.putArray("warmup");
        for (PeriodSnapshot period : result.warmup()) {
            ObjectNode node = periods.addObject();
            addSpan(node, period.startNs(), period.endNs());
            node.set("publishRate", JsonText.decimal(period.publishRate()));
            node.set("consumeRate", JsonText.decimal(period.consumeRate()));
            node.put("backlog", period.totals().backlog());
            ObjectNode latencies = node.putObject("latencies");
            for (Latency latency : Latency.values()) {
                latencies.set(latency.label(), latencyInShort(period.latency(latency)));
            }
        }
    }

    private static @Nullable ObjectNode latencyInShort(LatencySnapshot latencies) {
        if (latencies.count() == 0) {
            return null;
        }
        LatencySummary summary = latencies.summary();
        return JsonNodeFactory.instance
                .objectNode()
                .put("count", summary.count())
                .put("p50Ns", summary.atNs(50))
                .put("p99Ns", summary.atNs(99))
                .put("p999Ns", summary.atNs(99.9))
                .put("maxNs", summary.maxNs());
    }

    private static String time(long epochNs) {
        return TIME.format(Instant.ofEpochSecond(Math.floorDiv(epochNs, NS_PER_S), Math.floorMod(epochNs, NS_PER_S)));
    }
}
