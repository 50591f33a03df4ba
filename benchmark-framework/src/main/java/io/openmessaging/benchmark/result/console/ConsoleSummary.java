package io.openmessaging.benchmark.result.console;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.clock.ClockReport;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.measure.Consumed;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.LatencySummary;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.metric.LatencyMetric;
import io.openmessaging.benchmark.metric.Weakness;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.result.ClockBound;
import io.openmessaging.benchmark.result.FaultOutcome;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.MessageSizes;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.result.RateSweep;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.RunResult.Breach;
import io.openmessaging.benchmark.result.RunResult.LoadStep;
import io.openmessaging.benchmark.result.WorkerResult;
import io.openmessaging.benchmark.result.file.ResultFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The summary that a person reads at the end of a run: at most {@value #MAX_LINES} lines of {@value #MAX_COLUMNS}
 * columns. The result file has what does not fit; only paths, which people copy, are never cut.
 */
public final class ConsoleSummary {

    static final int MAX_LINES = 30;
    static final int MAX_COLUMNS = 100;

    private static final String LABEL = "  %-13s %s";
    private static final int LABEL_COLUMNS = 16;
    private static final String CUT = " …";
    private static final String LATENCY_ROW = "  %-34s %11s %11s %11s %11s %11s";
    /** Marks a percentile that rests on fewer than ten samples. */
    private static final String FEW = "~";

    private static final String LEGEND = " (" + FEW + ": < 10 samples beyond)";
    private static final List<Latency> LATENCIES = List.of(
            Latency.PUBLISH,
            Latency.SCHEDULED_PUBLISH,
            Latency.END_TO_END,
            Latency.SCHEDULED_END_TO_END,
            Latency.SEND_DELAY);
    private static final double HIGHEST_PERCENTILE = 99.9;
    private static final String NOT_MEASURED_ROW = "  %-34s %23s";
    private static final String SWEEP_ROW = "  %11s %11s %9s %9s %9s %9s %9s  %s";
    private static final String AUDIT_ROW = "  %-18s %14s %14s %11s %11s %11s %13s";
    /** A space at which lines do not wrap. */
    private static final char UNBROKEN = '\u00a0';

    private static final int MAX_SUBSCRIPTION_ROWS = 4;
    private static final int MAX_FAILURE_LINES = 4;
    private static final int MAX_SEARCH_LINES = 3;
    private static final int MAX_PHASE_LINES = 3;
    private static final int MAX_SIZE_LINES = 2;
    private static final int MAX_SLO_LINES = 3;
    private static final int MAX_SWEEP_ROWS = 7;
    private static final int MAX_FAULTS = 6;
    private static final int MAX_FAULT_LINES = 4;

    private static final int MAX_WORKER_LINES = 4;
    private static final int MAX_RESOURCE_LINES = 2;
    private static final int FILE_LINES = 2;

    /** The number of codes that fit into a line. */
    private static final int MAX_EXPLAINED = 3;

    private final RunResult result;
    private final @Nullable PeriodSnapshot measured;
    private final List<String> lines = new ArrayList<>();

    private ConsoleSummary(RunResult result) {
        this.result = result;
        this.measured = result.total();
    }

    /**
     * Returns the summary as several lines, each with a line break.
     *
     * @param jsonFile the result file; null if it could not be written
     */
    public static String render(RunResult result, @Nullable Path jsonFile) {
        ConsoleSummary summary = new ConsoleSummary(result);
        summary.addAll(jsonFile);
        return summary.lines.stream().map(line -> line.stripTrailing() + "\n").collect(Collectors.joining());
    }

    private void addAll(@Nullable Path jsonFile) {
        lines.add(result.workload().workload().name() + " on " + result.driver().name() + ": " + result.verdict()
                + meaning());
        if (result.failure() != null) {
            addWrapped("failure", result.failure(), MAX_FAILURE_LINES);
        }
        addRates();
        addTransfer();
        addLatencies();
        addClocks();
        addCensored();
        addSlo();
        addAudit();
        addFaults();
        addSearch();
        addSteps();
        addSweep();
        addPhases();
        addBroker();
        addWorkers();
        addResources();
        String codes = toExplain(jsonFile);
        addFindings(MAX_LINES - FILE_LINES - (codes.isEmpty() ? 0 : 1));
        if (!codes.isEmpty()) {
            add("what to do", "bin/benchmark explain " + codes);
        }
        if (jsonFile == null) {
            add("result", "could not be written");
            return;
        }
        add("result", jsonFile.toString());
        add("histograms", ResultFiles.logOf(jsonFile).toString());
    }

    private String meaning() {
        String notAudited = result.audit() == null ? ", not audited" : "";
        return switch (result.verdict()) {
            case OK -> notAudited + expected();
            case INVALID -> notAudited + ", the figures do not mean what they seem to";
            case SLO_MISSED -> notAudited + ", the figures stand, but are not within the workload's slo";
            case INTERRUPTED -> notAudited + ", the figures are those measured until then";
            case FAILED -> measured == null ? "" : notAudited + ", the figures are those measured until then";
        };
    }

    /** Tells that an OK run showed what the workload expects of the system. */
    private String expected() {
        String weaknesses = result.workload().workload().expect().stream()
                .filter(weakness -> result.findings().stream()
                        .anyMatch(finding ->
                                finding.severity() == Finding.Severity.EXPECTED && weakness.isShownBy(finding.kind())))
                .map(Weakness::toString)
                .collect(Collectors.joining(", "));
        return weaknesses.isEmpty() ? "" : ", with what the workload expects: " + weaknesses;
    }

    private void addRates() {
        if (measured == null) {
            add("measured", "nothing");
            return;
        }
        RunResult.Rates rates = result.rates(measured);
        if (result.course().foreign() != null) {
            addForeign(result.course().foreign(), rates.consume());
            return;
        }
        Double target = result.targetRateMsgPerSec();
        String asked =
                target == null ? "as fast as the client accepted it" : "target " + Quantities.messageRate(target);
        String time = "; measured for " + Quantities.seconds(measured.seconds());
        add("published", rate(rates.publish()) + "; " + asked + time);
        Workload workload = result.workload().workload();
        if (workload.messageSizeDistribution() != null) {
            String inMeasurement = Quantities.number(result.meanMessageBytes(measured)) + " in the measurement";
            addWrapped("sent", MessageSizes.of(workload) + ", " + inMeasurement, MAX_SIZE_LINES);
        }
        int subscriptions = measured.counts().received().size();
        if (subscriptions > 0) {
            String together = subscriptions > 1 ? "; " + subscriptions + " subscriptions together" : "";
            add("consumed", rate(rates.consume()) + together);
        }
    }

    /** Adds the number, sizes and ages of messages that others sent. */
    private void addForeign(RunResult.Foreign foreign, double messagesPerSecond) {
        Consumed consumed = foreign.consumed();
        String within = consumed.spanNs() == 0 ? "" : ", within " + Quantities.seconds(consumed.spanNs() / 1e9);
        add("consumed", rate(messagesPerSecond) + "; " + Quantities.count(consumed.messages()) + " messages" + within);
        add(
                "sizes",
                row(
                        "%,.0f bytes on average, from %,d to %,d",
                        consumed.meanBytes(), consumed.smallestBytes(), consumed.largestBytes()));
        if (foreign.messageTime() == null || consumed.ages().count() == 0) {
            add(
                    "latency",
                    "none: " + (foreign.messageTime() == null ? "the system" : "each message") + " lacks a time");
            return;
        }
        LatencySummary ages = consumed.ages().summary();
        addWrapped(
                "since message time",
                row(
                        "p50 %,d ms, p99 %,d ms, longest %,d ms; from %s to arrival",
                        ages.atNs(50), ages.atNs(99), ages.maxNs(), foreign.messageTime()),
                MAX_SLO_LINES);
    }

    private String rate(double messagesPerSecond) {
        double messageBytes = result.meanMessageBytes(measured);
        return Quantities.messageRate(messagesPerSecond) + ", " + Quantities.byteRate(messagesPerSecond * messageBytes);
    }

    private void addLatencies() {
        if (measured == null || result.course().foreign() != null) {
            return;
        }
        String legend =
                Stream.of(Latency.values()).anyMatch(latency -> hasMark(measured.latency(latency))) ? LEGEND : "";
        addRow(LATENCY_ROW, "latency" + legend, "mean", "p50", "p99", "p99.9", "max");
        for (Latency latency : LATENCIES) {
            String label = LatencyMetric.of(latency).row();
            addLatency(label, measured.latency(latency));
            if (latency == Latency.END_TO_END && measured.hasAcrossWorkers()) {
                addLatency(label + ", on one worker", measured.control(latency));
            }
        }
    }

    private void addLatency(String label, LatencySnapshot snapshot) {
        if (snapshot.count() == 0) {
            addRow(NOT_MEASURED_ROW, label, "not measured");
            return;
        }
        LatencySummary summary = snapshot.summary();
        addRow(
                LATENCY_ROW,
                label,
                Quantities.latency(summary.meanNs()),
                percentile(summary, 50),
                percentile(summary, 99),
                percentile(summary, HIGHEST_PERCENTILE),
                Quantities.latency(summary.maxNs()));
    }

    private static boolean hasMark(LatencySnapshot snapshot) {
        return snapshot.count() > 0 && snapshot.summary().restsOnFew(HIGHEST_PERCENTILE);
    }

    private static String percentile(LatencySummary summary, double percentile) {
        return (summary.restsOnFew(percentile) ? FEW : "") + Quantities.latency(summary.atNs(percentile));
    }

    /** Adds how well the workers' times compare, if latencies depend on it. */
    private void addClocks() {
        ClockBound clocks = result.clocks();
        if (clocks == null) {
            return;
        }
        String apart = clocks.isKnown()
                ? "within ± " + Quantities.latency(clocks.apartNs()) + " of one another"
                : "not all known";
        addWrapped("clocks", clocks.isEndToEndGiven() ? apart : apart + ": " + whatIsGiven(), 2);
    }

    private String whatIsGiven() {
        boolean none = measured == null || measured.latency(Latency.END_TO_END).count() == 0;
        return none ? "no end-to-end latency is given" : "end-to-end latencies are of messages on one worker only";
    }

    /** Adds the messages whose latencies are only lower bounds, unless their waits are negligible. */
    private void addCensored() {
        RunResult.Tail tail = result.course().tail();
        if (tail != null && tail.censored().worthReporting()) {
            RunResult.Censored of = tail.censored();
            String text = row(
                    "%,d messages due and unsent, %,d unanswered, %,d undelivered at the end; waited up to %s",
                    of.unsent(), of.unanswered(), of.undelivered(), Quantities.latency(of.longestWaitNs()));
            addWrapped("censored", text, 2);
        }
    }

    /** Adds each bound with its value; a finding says what is wrong with it. */
    private void addSlo() {
        Stream<String> bounds = result.course().slo().stream().map(outcome -> {
            Double valueNs = outcome.valueNs();
            String value = valueNs == null ? "not measured" : Quantities.latency(valueNs);
            String limit = " of " + Quantities.latency(outcome.limitNs());
            return outcome.key() + " " + value + limit + (outcome.passed() ? "" : " (missed)");
        });
        addParts("slo", bounds, ", ", MAX_SLO_LINES);
    }

    private void addFaults() {
        FaultOutcome.FaultReport faults = result.course().faults();
        if (faults == null || measured == null) {
            return;
        }
        int shown = Math.min(MAX_FAULTS, faults.faults().size());
        for (int i = 0; i < shown; i++) {
            addWrapped("fault " + (i + 1), faultText(faults.faults().get(i), measured), MAX_FAULT_LINES);
        }
        if (shown < faults.faults().size()) {
            add("", (faults.faults().size() - shown) + " more faults are in the result");
        }
    }

    private String faultText(FaultOutcome fault, PeriodSnapshot total) {
        return FaultText.of(fault, total.startNs(), result.workload().workload().hasConsumers());
    }

    private void addAudit() {
        AuditReport audit = result.audit();
        if (audit == null) {
            add("audit", "off: " + result.whyNoAudit());
            return;
        }
        List<AuditReport.SubscriptionReport> subscriptions = audit.subscriptions();
        if (subscriptions.isEmpty()) {
            add("audit", "no consumers, nothing to audit");
            return;
        }
        addRow(AUDIT_ROW, "audit", "expected", "received", "lost", "undelivered", "duplicated", "out of order");
        if (subscriptions.size() > MAX_SUBSCRIPTION_ROWS) {
            addAudit("all " + subscriptions.size() + " together", subscriptions);
        } else {
            subscriptions.forEach(one -> addAudit("subscription " + one.subscription(), List.of(one)));
        }
        if (audit.inDoubt() > 0) {
            add("in doubt", Quantities.counted(audit.inDoubt(), "message") + ": known only to a worker that was lost");
        }
        if (audit.producersInDoubt() > 0) {
            String producers = Quantities.count(audit.producersInDoubt()) + " of "
                    + Quantities.counted(audit.producers(), "producer");
            addWrapped("not audited", "what " + producers + ", on a lost worker, sent after the last known arrival", 2);
        }
    }

    private void addAudit(String label, List<AuditReport.SubscriptionReport> subscriptions) {
        Long outOfOrder = AuditReport.sumIfKnown(subscriptions.stream()
                .map(AuditReport.SubscriptionReport::outOfOrder)
                .toList());
        addRow(
                AUDIT_ROW,
                label,
                sum(subscriptions, AuditReport.SubscriptionReport::expected),
                sum(subscriptions, AuditReport.SubscriptionReport::received),
                sum(subscriptions, AuditReport.SubscriptionReport::lost),
                sum(subscriptions, AuditReport.SubscriptionReport::undelivered),
                sum(subscriptions, AuditReport.SubscriptionReport::duplicated),
                FaultText.ifJudged(outOfOrder));
    }

    private static String sum(
            List<AuditReport.SubscriptionReport> subscriptions, ToLongFunction<AuditReport.SubscriptionReport> count) {
        return Quantities.count(subscriptions.stream().mapToLong(count).sum());
    }

    private void addSearch() {
        RunResult.Search search = result.search();
        if (search == null) {
            return;
        }
        // A refused rate was tried twice.
        Stream<Double> tried = search.steps().stream().map(RunResult.SearchStep::targetMsgPerSec);
        addWrapped("search", found(search) + "; " + tried.distinct().count() + " rates tried", MAX_SEARCH_LINES);
    }

    private String found(RunResult.Search search) {
        Double found = search.sustainableRateMsgPerSec();
        if (found == null) {
            return "not confirmed: no rate was held";
        }
        Double confirmed = result.confirmedRateMsgPerSec();
        Double measured = result.targetRateMsgPerSec();
        String rate = confirmed == null
                ? "not confirmed: " + Quantities.messageRate(found)
                        + " " + search.basis() + ", but the measurement"
                        + (measured == null ? "" : " at " + Quantities.messageRate(measured)) + " is "
                        + (result.periods().isEmpty() ? "missing" : result.verdict())
                : "sustainable rate " + Quantities.messageRate(confirmed) + ", confirmed by the measurement";
        RunResult.RateRange range = search.range();
        boolean shared = result.findings().stream().map(Finding::kind).anyMatch(Finding::isOfSharedMachine);
        return range == null ? rate : rate + "; the limit is " + range.inWords(shared);
    }

    /** Adds the time that a number of messages took. */
    private void addTransfer() {
        RunResult.Transfer transfer = result.course().transfer();
        if (transfer == null) {
            return;
        }
        String sent = "sent within " + Quantities.latency(transfer.sendSeconds() * 1e9);
        Double seconds = transfer.receiveSeconds();
        String received = seconds == null
                ? ""
                : ", all received within " + Quantities.latency(seconds * 1e9) + " of the first send";
        add("messages", sent + received);
    }

    /** Adds the number of clients that the system sustains. */
    private void addSteps() {
        int steps = result.course().steps().size();
        if (steps == 0) {
            return;
        }
        LoadStep last = result.saturation();
        String clean = last == null
                ? "none of them clean"
                : row(
                        "the last clean one with %s and %s at %s",
                        Quantities.counted(last.producers(), "producer"),
                        Quantities.counted(last.consumers(), "consumer"),
                        Quantities.messageRate(last.seen().publishRate()));
        addWrapped("steps", Quantities.counted(steps, "step") + ", " + clean, 2);
    }

    /** Adds latency over load; with too many rates, only those around the knee. */
    private void addSweep() {
        RateSweep sweep = result.course().rateSweep();
        if (sweep == null) {
            return;
        }
        LoadStep knee = sweep.knee().orElse(null);
        LoadStep highest = sweep.highestSustained().orElse(null);
        String found = knee == null || highest == null
                ? "no rate was sustained; the figures above are those of the first"
                : row(
                        "knee at %s, whose figures are above; highest sustained %s",
                        Quantities.messageRate(target(knee)), Quantities.messageRate(target(highest)));
        add("sweep", found);
        addRow(SWEEP_ROW, "msg/s", "published", "pub p50", "pub p99", "e2e p50", "e2e p99", "e2e p99.9", "");
        List<LoadStep> steps = sweep.steps();
        int kneeAt = knee == null ? 0 : steps.indexOf(knee);
        int from = Math.max(0, Math.min(kneeAt - 2, steps.size() - MAX_SWEEP_ROWS));
        for (LoadStep step : steps.subList(from, Math.min(steps.size(), from + MAX_SWEEP_ROWS))) {
            Breach breach = step.breach();
            addRow(
                    SWEEP_ROW,
                    Quantities.number(target(step)),
                    Quantities.number(step.seen().publishRate()),
                    percentile(step, Latency.PUBLISH, 50),
                    percentile(step, Latency.PUBLISH, 99),
                    percentile(step, Latency.END_TO_END, 50),
                    percentile(step, Latency.END_TO_END, 99),
                    percentile(step, Latency.END_TO_END, 99.9),
                    breach != null ? "no: " + breach.rule() : step == knee ? "knee" : "");
        }
    }

    private static double target(LoadStep step) {
        Double target = step.targetMsgPerSec();
        return target == null ? 0 : target;
    }

    private static String percentile(LoadStep step, Latency latency, double percentile) {
        LatencySnapshot latencies = step.seen().latency(latency);
        return latencies.count() == 0 ? "-" : percentile(latencies.summary(), percentile);
    }

    /** Adds each phase once, with the total time of all its occurrences. */
    private void addPhases() {
        Map<String, Double> seconds = new LinkedHashMap<>();
        result.phases().forEach(phase -> seconds.merge(phase.name(), phase.seconds(), Double::sum));
        Stream<String> phases =
                seconds.entrySet().stream().map(phase -> phase.getKey() + " " + Quantities.seconds(phase.getValue()));
        addParts("phases", phases, ", ", MAX_PHASE_LINES);
    }

    private void addBroker() {
        RunResult.Broker broker = result.broker();
        if (broker != null) {
            int nodes = broker.description().nodes().size();
            addWrapped(
                    "broker",
                    broker.description().product() + " " + broker.description().version()
                            + (nodes > 1 ? ", " + nodes + " nodes" : "")
                            + (broker.managed() ? ", started for this run" : ""),
                    1);
            Guarantee guarantee = broker.description().guarantee();
            if (guarantee != null) {
                // Whole, since its condition is at its end.
                addLabelled("guarantee", wrap(guarantee.inWords()));
            }
        }
    }

    /** Adds a short line for each worker, as many as fit. */
    private void addWorkers() {
        List<WorkerResult> workers = result.workers();
        int shown = workers.size() > MAX_WORKER_LINES ? MAX_WORKER_LINES - 1 : workers.size();
        for (int i = 0; i < shown; i++) {
            addParts(i == 0 ? "workers" : "", worker(workers.get(i)), ", ", 1);
        }
        if (shown < workers.size()) {
            add("", (workers.size() - shown) + " more workers are in the result");
        }
    }

    private static Stream<String> worker(WorkerResult worker) {
        RunResult.Rates rates = worker.rates();
        HarnessUsage usage = worker.usage();
        ClockReport clock = worker.clock();
        return Stream.of(
                worker.machine().name().replaceFirst("^worker ", "") + (worker.lost() == null ? "" : " LOST") + ": "
                        + worker.producers() + "p " + worker.consumers() + "c",
                // Not at the end of the line, where a long name would cut it off: it decides what latencies mean.
                clock == null || clock.offsets() == null
                        ? ""
                        : "clock ± " + Quantities.latency(clock.offsets().largestBoundNs()),
                rates == null
                        ? ""
                        : "pub " + Quantities.number(rates.publish()) + " con " + Quantities.number(rates.consume())
                                + " msg/s",
                usage == null ? "" : row("%.2f of %d cores", usage.cores(), usage.processors()));
    }

    /** Adds the mean resource use of each side. */
    private void addResources() {
        Stream<String> efficiency = result.messagesPerBrokerCpuSecond().stream()
                .mapToObj(rate -> Quantities.number(rate) + " messages per CPU-second of the broker");
        Stream<String> sides = Stream.of(resources("broker", Role.BROKER), resources("harness", Role.HARNESS));
        addParts("used", Stream.concat(sides, efficiency), " · ", MAX_RESOURCE_LINES);
    }

    private String resources(String label, Role role) {
        ResourcePeriod used = result.resourceTotal();
        List<String> parts = new ArrayList<>();
        used.sum(role, Figure.CPU_CORE_PERCENT).ifPresent(percent -> parts.add(row("%.2f cores", percent / 100)));
        used.sum(role, Figure.RESIDENT_BYTES)
                .ifPresent(bytes -> parts.add(row("%,.0f MiB", bytes / Quantities.BYTES_PER_MIB)));
        used.sum(role, Figure.COLLECTION_PERCENT).ifPresent(percent -> parts.add(row("GC %.1f %%", percent)));
        return parts.isEmpty() ? "" : label + " " + String.join(", ", parts);
    }

    /**
     * Returns the codes of the findings that are more than notes, and of a full machine, which explains them; the
     * result file if there are too many.
     */
    private String toExplain(@Nullable Path jsonFile) {
        boolean bad = result.findings().stream().anyMatch(Finding::decidesVerdict);
        List<String> kinds = result.findings().stream()
                .filter(finding -> finding.decidesVerdict() || (bad && Finding.isOfFullMachine(finding.kind())))
                .map(Finding::kind)
                .distinct()
                .toList();
        // No code is left out: the command takes them from the result.
        return jsonFile != null && kinds.size() > MAX_EXPLAINED ? jsonFile.toString() : String.join(" ", kinds);
    }

    /** Adds as many whole findings as fit, and the number of the others. */
    private void addFindings(int maxLines) {
        List<Finding> findings = result.findings();
        for (int i = 0; i < findings.size(); i++) {
            Finding finding = findings.get(i);
            String label = switch (finding.severity()) {
                case INVALIDATES -> "invalid";
                case MISSES_SLO -> "missed";
                case EXPECTED -> "expected";
                case NOTE -> "note";
            };
            List<String> wrapped = wrap(finding.text());
            int lineForTheRest = i + 1 < findings.size() ? 1 : 0;
            if (lines.size() + wrapped.size() + lineForTheRest > maxLines) {
                int more = findings.size() - i;
                add("", more + (more == 1 ? " more finding is" : " more findings are") + " in the result");
                return;
            }
            addLabelled(label, wrapped);
        }
    }

    /** Adds parts that are never broken across lines; adds nothing if all are empty. */
    private void addParts(String label, Stream<String> parts, String separator, int maxLines) {
        String text = parts.filter(part -> !part.isEmpty())
                .map(part -> part.replace(' ', UNBROKEN))
                .collect(Collectors.joining(separator));
        if (!text.isEmpty()) {
            addWrapped(label, text, maxLines);
        }
    }

    private void addWrapped(String label, String text, int maxLines) {
        List<String> wrapped = wrap(text);
        if (wrapped.size() > maxLines) {
            wrapped = new ArrayList<>(wrapped.subList(0, maxLines));
            wrapped.set(maxLines - 1, wrapped.get(maxLines - 1) + CUT);
        }
        addLabelled(label, wrapped);
    }

    private void addLabelled(String label, List<String> texts) {
        for (int i = 0; i < texts.size(); i++) {
            add(i == 0 ? label : "", texts.get(i));
        }
    }

    private static List<String> wrap(String text) {
        int columns = MAX_COLUMNS - LABEL_COLUMNS - CUT.length();
        List<String> wrapped = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.strip().split("\\s+")) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > columns) {
                wrapped.add(line.toString().replace(UNBROKEN, ' '));
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        wrapped.add(line.toString().replace(UNBROKEN, ' '));
        return wrapped;
    }

    private void add(String label, String text) {
        addRow(LABEL, label, text);
    }

    private void addRow(String format, Object... cells) {
        lines.add(row(format, cells));
    }

    private static String row(String format, Object... cells) {
        return String.format(Locale.ROOT, format, cells);
    }
}
