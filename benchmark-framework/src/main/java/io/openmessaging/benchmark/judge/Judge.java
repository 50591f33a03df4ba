package io.openmessaging.benchmark.judge;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.config.AbortRules;
import io.openmessaging.benchmark.config.LatencyBound;
import io.openmessaging.benchmark.config.SizeShare;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.limits.ProcessLimit;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.Payloads;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.DiskSpace;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.FigureUse;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.resources.ResourceUse;
import io.openmessaging.benchmark.resources.SamplingMonitor;
import io.openmessaging.benchmark.result.FaultOutcome;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.Finding.Severity;
import io.openmessaging.benchmark.result.ResourceLimits;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.result.RunResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds what speaks against the figures of a run. Pure: from figures to findings. */
public final class Judge {

    /** A target counts as reached from this part of it on. */
    public static final double REACHED = 0.99;

    /**
     * What the begin and the end of a measurement may cut off: one message, and those of so much time. Without it, a
     * slow or short load would miss its target by rounding.
     */
    static final double CUT_OFF_SECONDS = 0.02;

    /** How far the two halves of a measurement may be apart. */
    static final double STEADY_WITHIN = 0.20;

    /** Fewer periods say nothing about steadiness. */
    static final int PERIODS_FOR_STEADINESS = 6;

    /** From this part of all processors on, the harness is taken for the bottleneck. */
    static final double CPU_BOUND = 0.90;

    /** A shorter measurement uses the processors mostly to get started. */
    static final long MIN_USAGE_NS = TimeUnit.SECONDS.toNanos(1);

    /** How many standard deviations of a random count are tolerated. */
    public static final double SCATTER = 4;

    /** More time than this in garbage collection distorts every figure. */
    static final double MAX_COLLECTION_SHARE = 0.10;

    /** From this part of the harness' own limit on, a rate is worth a note. */
    static final double NEAR_CEILING = 0.50;

    /** From this part of the harness' own limit on, it is the harness that is measured. */
    static final double AT_CEILING = 0.90;

    /** More than this part of a machine's time taken by others is worth a note, in percent. */
    static final double MAX_STEAL_PERCENT = 5;

    /** Stalls of the harness are compared with what is reported at this percentile of all moments. */
    static final double STALLED_PERCENTILE = 99.9;

    /** Of fewer moments, those of ten seconds, less than ten are beyond that percentile: a single stall would decide. */
    static final long FEWEST_MOMENTS = 10_000;

    /** A machine with less of its processors' time to spare is worth a note, in percent. */
    static final double LITTLE_SPARE_PERCENT = 10;

    /** With less than this to spare, it is the machine that is measured. */
    static final double NO_SPARE_PERCENT = 5;

    /** From this part of the time on, it is worth a note that processes had to wait for their limit, in percent. */
    static final double THROTTLED_PERCENT = 5;

    /** From this part of a limit of memory on, what is held counts as all of it. */
    static final double MEMORY_SHORT = 0.95;

    /** From this part of it on, memory counts as full: the kernel charges in batches. */
    static final double MEMORY_FULL = 0.99;

    /** A p99 of the send delay beyond this is worth a note. */
    static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** A p99 of the send delay beyond this means that the load was not the one asked for. */
    public static final long VERY_LATE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** What speaks against the figures of a run, that which invalidates the result first. */
    public static List<Finding> findings(Evidence evidence) {
        Judge judge = new Judge();
        // What else is found may be a consequence of that.
        evidence.harness().lost().forEach(lost -> judge.findings.add(Finding.workerLost(lost.sentence())));
        judge.findings.addAll(evidence.notes());
        if (!evidence.workload().consumesOnly()) {
            judge.judgeMessages(evidence);
            judge.judgeMeasurement(evidence);
        } else if (evidence.ending().totals() != null) {
            judge.judgeRefused(evidence.ending().totals(), evidence.ending().errors(), Severity.INVALIDATES);
        }
        judge.judgeMachine(evidence);
        FaultOutcome.FaultReport faults = evidence.ending().faults();
        return faults == null
                ? judge.findings()
                : inOrder(FaultJudge.findings(
                        judge.findings, faults, evidence.workload().faultBounds()));
    }

    /**
     * What would be found if a measurement ended now, as far as that can be told before the audit: its load and consumers
     * until now, its latencies, errors.
     *
     * @param seen of the measurement until now
     * @param targetMsgPerSec its rate; empty if there is none to compare with
     * @param backlogs of its subscriptions until now; empty if it began with one that was built
     * @param slo what latencies are to keep; of one that has too few samples until now nothing is said
     * @param search what came of a search for its rate; null if there was none
     * @param errors until now, by kind
     * @param faults whether the workload has some
     */
    public static List<Finding> soFar(
            PeriodSnapshot seen,
            OptionalDouble targetMsgPerSec,
            List<BacklogTrend> backlogs,
            List<LatencyBound> slo,
            LoadOutcome.@Nullable Refused search,
            Map<String, Long> errors,
            boolean faults) {
        Judge judge = new Judge();
        List<PeriodSnapshot> measured = List.of(seen);
        judge.judgeLoad(measured, ExpectedLoad.even(targetMsgPerSec, OptionalDouble.empty()));
        judge.judgeConsumers(measured, backlogs);
        judge.judgeConfirmations(measured, backlogs);
        judge.judgeLatencies(measured);
        judge.judgeSlo(Bounds.outcomes(slo, seen).stream()
                .filter(outcome -> outcome.samples() >= outcome.samplesNeeded())
                .toList());
        if (search != null) {
            judge.searched(search);
        }
        judge.judgeRefused(seen.totals(), errors, Severity.INVALIDATES);
        return faults ? inOrder(FaultJudge.softened(judge.findings)) : judge.findings();
    }

    private void judgeMessages(Evidence evidence) {
        LoadOutcome load = evidence.load();
        Evidence.Ending ending = evidence.ending();
        if (load.search() != null) {
            searched(load.search().refused());
        }
        if (ending.audit() != null) {
            judgeAudit(ending.audit(), load.wentBeyond());
        }
        if (ending.auditOfSearch() != null) {
            judgeAuditOfSearch(ending.auditOfSearch());
        }
        if (ending.totals() != null) {
            boolean untilErrors = load.breach()
                    .filter(breach -> breach.rule().equals(AbortRules.PUBLISH_ERROR_RATIO))
                    .isPresent();
            boolean expected = untilErrors || load.wentBeyond();
            Severity severity = expected ? Severity.NOTE : Severity.INVALIDATES;
            judgeRefused(ending.totals(), ending.errors(), severity);
            // What a lost worker's sends have come to nobody knows.
            boolean allTold = ending.audit() == null || ending.audit().producersInDoubt() == 0;
            if (allTold && evidence.harness().lost().isEmpty()) {
                judgeInFlight(ending.totals());
                if (evidence.workload().headerLayout() == MessageHeader.Layout.NONE) {
                    judgeCounts(load.sinceSearch(ending.totals()), ending.settled(), load.wentBeyond());
                    if (load.search() != null) {
                        judgeCountsOfSearch(load.search().settled());
                    }
                }
            }
        }
        judgeLayout(evidence.workload().headerLayout(), evidence.workload().smallestMessageBytes());
        judgeRandomness(evidence.workload());
    }

    private void judgeMeasurement(Evidence evidence) {
        List<PeriodSnapshot> measured = evidence.measured();
        LoadOutcome load = evidence.load();
        // That consumers fall behind is what the last step of a growing load is to find out.
        if (!evidence.workload().buildsBacklog() && load.breach().isEmpty()) {
            judgeConsumers(measured, load.backlogs());
        }
        judgeLoad(measured, load.expected());
        if (!evidence.workload().buildsBacklog() && load.breach().isEmpty()) {
            judgeConfirmations(measured, load.backlogs());
        }
        if (evidence.ending().audit() != null && evidence.workload().consumerPerSubscription() > 1) {
            judgeFoundLate(measured, evidence.ending().audit(), load);
        }
        if (evidence.ending().tail() != null) {
            judgeUnsent(evidence.ending().tail().censored(), load.expected().targetMsgPerSec());
        }
        judgeLatencies(measured);
        judgeSlo(load.course().slo());
    }

    private void judgeMachine(Evidence evidence) {
        Evidence.HarnessEvidence harness = evidence.harness();
        Evidence.Surroundings surroundings = evidence.surroundings();
        List<PeriodSnapshot> measured = evidence.measured();
        List<Evidence.WorkerSeen> workers = harness.workers();
        double clientCores = surroundings.clientCores();
        findings.addAll(ClockFindings.findings(workers, harness.clocks(), total(measured)));
        workers.forEach(worker -> judgeHarness(worker, clientCores));
        ResourcePeriod used =
                RunPeriod.together(evidence.periods()).map(RunPeriod::used).orElse(ResourcePeriod.NONE);
        judgeResources(
                measured,
                used,
                workers,
                clientCores,
                surroundings.problems(),
                evidence.ending().faults());
        judgeHosts(used, workers);
        judgeLimits(used, surroundings.limits());
        if (surroundings.diskNearlyFull() != null) {
            judgeDisk(surroundings.diskNearlyFull());
        }
        judgeCeilings(measured, evidence.load().targetMsgPerSec(), workers);
    }

    private final List<Finding> findings = new ArrayList<>();

    /** Where a worker took all processors. */
    private final Set<String> hostsTaken = new HashSet<>();

    private LoadOutcome.Refused inSearch = LoadOutcome.Refused.NOTHING;

    /** What was found, that which invalidates the result first. */
    List<Finding> findings() {
        return inOrder(findings);
    }

    private static List<Finding> inOrder(List<Finding> found) {
        return found.stream().sorted(Comparator.comparing(Finding::severity)).toList();
    }

    /** Whether the load was the one asked for. */
    void judgeLoad(List<PeriodSnapshot> measured, ExpectedLoad expected) {
        PeriodSnapshot total = total(measured);
        if (total == null) {
            return;
        }
        if (expected.targetMsgPerSec().isPresent()) {
            judgeTarget(total, expected.targetMsgPerSec().getAsDouble(), expected);
        }
        Steadiness.stalls(measured, expected).ifPresent(findings::add);
        if (expected.even()) {
            // Halves that differ say more than that periods do.
            halves(measured, expected)
                    .or(() -> Steadiness.unevenness(measured, expected))
                    .ifPresent(findings::add);
            expected.driftWithin().ifPresent(tolerated -> judgeDrift(measured, tolerated));
        }
    }

    private void judgeTarget(PeriodSnapshot total, double targetMsgPerSec, ExpectedLoad expected) {
        double seconds = expected.publishSeconds().orElse(total.secondsOfEach());
        double target = targetMsgPerSec * seconds;
        long published = total.counts().acknowledged();
        double tolerated = toleratedShortfall(targetMsgPerSec, seconds) + expected.scatter(target);
        if (published < target - tolerated) {
            findings.add(Finding.targetRateMissed(targetMsgPerSec, published / seconds));
        } else if (published > target + tolerated) {
            findings.add(Finding.targetRateExceeded(targetMsgPerSec, published / seconds));
        }
        long delayP99Ns = total.latency(Latency.SEND_DELAY).histogram().getValueAtPercentile(99);
        if (delayP99Ns > LATE_NS) {
            findings.add(
                    Finding.sendsLate(delayP99Ns, delayP99Ns > VERY_LATE_NS ? Severity.INVALIDATES : Severity.NOTE));
        }
    }

    /** How many messages fewer than were to be may be counted in a time, and the rate counts as reached. */
    static double toleratedShortfall(double targetMsgPerSec, double seconds) {
        return Math.max((1 - REACHED) * targetMsgPerSec * seconds, cutOffMessages(targetMsgPerSec));
    }

    private static double cutOffMessages(double targetMsgPerSec) {
        return 1 + CUT_OFF_SECONDS * targetMsgPerSec;
    }

    /**
     * Whether the load came to the end of its schedule, once it is known whether it reached its target: a stall at the end
     * may be short enough for that.
     */
    void judgeUnsent(RunResult.Censored censored, OptionalDouble targetMsgPerSec) {
        if (!isFound("TargetRateMissed")
                && targetMsgPerSec.isPresent()
                && censored.unsent() > cutOffMessages(targetMsgPerSec.getAsDouble())) {
            findings.add(Finding.dueMessagesUnsent(
                    censored.unsent(),
                    censored.longestWaitNs(),
                    censored.longestWaitNs() >= VERY_LATE_NS ? Severity.INVALIDATES : Severity.NOTE));
        }
    }

    private static Optional<Finding> halves(List<PeriodSnapshot> measured, ExpectedLoad expected) {
        if (measured.size() < PERIODS_FOR_STEADINESS) {
            return Optional.empty();
        }
        int middle = measured.size() / 2;
        PeriodSnapshot first = total(measured.subList(0, middle));
        PeriodSnapshot second = total(measured.subList(middle, measured.size()));
        if (first == null || second == null) {
            return Optional.empty();
        }
        double difference = Math.abs(first.publishRate() - second.publishRate());
        double tolerated = STEADY_WITHIN * Math.max(first.publishRate(), second.publishRate());
        // Of a slow load, a message more or less in either half says nothing.
        double fewMessages = (1 + expected.scatter(first.counts().acknowledged())) / first.secondsOfEach()
                + (1 + expected.scatter(second.counts().acknowledged())) / second.secondsOfEach();
        return difference > tolerated + fewMessages
                ? Optional.of(Finding.notSteady(first.publishRate(), second.publishRate()))
                : Optional.empty();
    }

    private void judgeDrift(List<PeriodSnapshot> measured, double tolerated) {
        if (measured.size() < RateDrift.MIN_PERIODS) {
            return;
        }
        double ofRate = RateDrift.ofRate(measured);
        if (ofRate > tolerated) {
            findings.add(Finding.rateDrifts(ofRate, tolerated));
        }
        double ofLatency = RateDrift.ofLatency(measured);
        if (ofLatency > tolerated) {
            findings.add(Finding.latencyDrifts(ofLatency, tolerated));
        }
    }

    static @Nullable PeriodSnapshot total(List<PeriodSnapshot> periods) {
        return PeriodSnapshot.together(periods).orElse(null);
    }

    /** Whether consumers fell behind while it was measured, or caught up with what came before. */
    void judgeConsumers(List<PeriodSnapshot> measured, List<BacklogTrend> backlogs) {
        PeriodSnapshot total = total(measured);
        if (total == null) {
            return;
        }
        double shortestS = shortestSeconds(total.latency(Latency.END_TO_END));
        first(backlogs, trend -> trend.growth(shortestS))
                .map(grown -> Finding.backlogGrew(grown.subscription(), grown.leftMessages(), grown.messages()))
                .or(() -> first(backlogs, BacklogTrend::shrinkage)
                        .map(shrunk -> Finding.backlogDrained(shrunk.subscription(), shrunk.messages())))
                .ifPresent(findings::add);
    }

    /**
     * Whether more came twice than a backlog may grow by, to different consumers of a subscription: there, an arrival is known
     * for a repetition some 30,000 messages later, and takes the place of a message that has not arrived until then.
     */
    private void judgeFoundLate(List<PeriodSnapshot> measured, AuditReport audit, LoadOutcome load) {
        PeriodSnapshot total = total(measured);
        if (total == null) {
            return;
        }
        double tolerated = BacklogTrend.tolerated(total.sendRate(), total.seconds());
        for (AuditReport.SubscriptionReport subscription : audit.subscriptions()) {
            long late = foundLate(subscription, load.sinceSearch(total.totals()));
            if (late > tolerated) {
                findings.add(Finding.backlogUnknown(subscription.subscription(), late));
            }
        }
    }

    private static long foundLate(AuditReport.SubscriptionReport subscription, Totals measured) {
        return subscription.duplicated() - measured.duplicated().get(subscription.subscription());
    }

    /**
     * Whether it is certain of all messages of a measurement that they had arrived at its end, as their number said.
     *
     * @param measured the counts at its end, since a search
     */
    public static boolean allHadArrived(AuditReport audit, Totals measured) {
        return audit.subscriptions().stream()
                .allMatch(subscription -> subscription.lost() + subscription.undelivered() == 0
                        && foundLate(subscription, measured) == 0);
    }

    /** Whether confirmations fell behind what was sent, if that is not known by the rate. */
    void judgeConfirmations(List<PeriodSnapshot> measured, List<BacklogTrend> backlogs) {
        PeriodSnapshot total = total(measured);
        if (total == null || isFound("TargetRateMissed")) {
            return;
        }
        double shortestS = shortestSeconds(total.latency(Latency.PUBLISH));
        first(backlogs, trend -> trend.growthToConfirm(shortestS))
                .map(grown -> Finding.confirmationsBehind(grown.leftMessages(), grown.messages()))
                .ifPresent(findings::add);
    }

    private boolean isFound(String kind) {
        return findings.stream().anyMatch(finding -> finding.kind().equals(kind));
    }

    private static double shortestSeconds(LatencySnapshot latencies) {
        return latencies.count() == 0 ? 0 : latencies.histogram().getMinValue() / 1e9;
    }

    private static Optional<BacklogTrend.Growth> first(
            List<BacklogTrend> backlogs, Function<BacklogTrend, Optional<BacklogTrend.Growth>> change) {
        return backlogs.stream().flatMap(trend -> change.apply(trend).stream()).findFirst();
    }

    /**
     * Whether a worker was in its own way. A moment says nothing: there, one collection is a large share.
     *
     * @param allowedCores its limit, if that is less than there are processors
     */
    void judgeHarness(Evidence.WorkerSeen worker, double allowedCores) {
        HarnessUsage usage = worker.usage();
        if (usage == null || usage.atNs() < MIN_USAGE_NS) {
            return;
        }
        double cores = Math.min(allowedCores, usage.processors());
        if (usage.cores() >= CPU_BOUND * cores) {
            findings.add(Finding.harnessCpuBound(worker.name(), usage.cores(), cores));
            hostsTaken.add(worker.host());
        }
        if (usage.collectionShare() > MAX_COLLECTION_SHARE) {
            findings.add(Finding.harnessCollectsGarbage(worker.name(), usage.collectionShare()));
        }
    }

    /** Whether the harness would be capable of more: each worker of more than its part of the rate. */
    void judgeCeilings(
            List<PeriodSnapshot> measured, OptionalDouble targetMsgPerSec, List<Evidence.WorkerSeen> workers) {
        PeriodSnapshot total = total(measured);
        if (total == null) {
            return;
        }
        double rate = Math.max(targetMsgPerSec.orElse(0), total.sendRate());
        for (int i = 0; i < workers.size(); i++) {
            Double ceiling = workers.get(i).equipment().ceilingMsgPerSec();
            if (ceiling != null) {
                judgeCeiling(workers.get(i).name(), rate * partOfSent(total, i), ceiling);
            }
        }
    }

    private static double partOfSent(PeriodSnapshot total, int worker) {
        long all = total.counts().sent();
        return total.shares().size() == 1
                ? 1
                : all == 0 ? 0 : (double) total.shares().get(worker).counts().sent() / all;
    }

    private void judgeCeiling(String worker, double rate, double ceilingMsgPerSec) {
        if (rate >= NEAR_CEILING * ceilingMsgPerSec) {
            findings.add(Finding.nearHarnessCeiling(
                    worker,
                    rate,
                    ceilingMsgPerSec,
                    rate >= AT_CEILING * ceilingMsgPerSec ? Severity.INVALIDATES : Severity.NOTE));
        }
    }

    /**
     * Whether what was used speaks against the figures.
     *
     * @param clientCores how many processors a worker may use
     * @param problems what kept figures from being read
     * @param faults null without
     */
    void judgeResources(
            List<PeriodSnapshot> measured,
            ResourcePeriod used,
            List<Evidence.WorkerSeen> workers,
            double clientCores,
            List<String> problems,
            FaultOutcome.@Nullable FaultReport faults) {
        problems.forEach(problem -> findings.add(Finding.metricsNotRead(problem)));
        PeriodSnapshot total = total(measured);
        if (total == null) {
            return;
        }
        for (Evidence.WorkerSeen worker : workers) {
            double usableCores = Math.min(worker.sendingThreads(), clientCores);
            double sendingCores = mean(used, Role.HARNESS, worker.name(), Figure.LOAD_THREADS_CORE_PERCENT) / 100;
            if (sendingCores > 0 && sendingCores >= CPU_BOUND * usableCores) {
                findings.add(Finding.sendingThreadsBusy(worker.name(), sendingCores, usableCores));
            }
        }
        for (String host : hosts(workers)) {
            double stealPercent = mean(used, Role.HOST, host, Figure.HOST_STEAL_PERCENT);
            if (stealPercent > MAX_STEAL_PERCENT) {
                findings.add(Finding.processorsStolen(host, stealPercent));
            }
        }
        LatencySnapshot publish = total.latency(Latency.PUBLISH);
        long baselineNs = faults == null ? 0 : faults.baselineP99Ns();
        double usualMs = (baselineNs > 0 ? baselineNs : publish.histogram().getValueAtPercentile(99)) / 1e6;
        for (int i = 0; publish.count() > 0 && i < workers.size(); i++) {
            String name = workers.get(i).name();
            double pauseMs = use(used, Role.HARNESS, name, Figure.LONGEST_PAUSE_MS)
                    .map(FigureUse::max)
                    .orElse(0.0);
            judgeStalls(
                    name,
                    total.shares().get(i).stalls(),
                    pauseMs,
                    new Usual(usualMs, baselineNs > 0),
                    total.latency(Latency.SCHEDULED_PUBLISH));
        }
    }

    private static Set<String> hosts(List<Evidence.WorkerSeen> workers) {
        return workers.stream().map(Evidence.WorkerSeen::host).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /**
     * What a stall is compared with.
     *
     * @param p99Ms of the publish latency; in a run with faults of that before the first, since a fault hides stalls in it
     */
    private record Usual(double p99Ms, boolean beforeFaults) {}

    /** Whether a worker stood still for so long that it may have made what is reported. */
    private void judgeStalls(
            String worker, LatencySnapshot stalls, double pauseMs, Usual usual, LatencySnapshot scheduled) {
        double p99Ms = usual.p99Ms;
        double stalledMs = stalls.histogram().getValueAtPercentile(STALLED_PERCENTILE) / 1e6;
        boolean stalled = stalledMs > p99Ms && stalledMs > 1 && stalls.count() >= FEWEST_MOMENTS;
        boolean collected = pauseMs > p99Ms && pauseMs > 1;
        double longestMs = stalls.histogram().getMaxValue() / 1e6;
        if (collected || stalled || (longestMs > p99Ms && decides(longestMs, stalls.count(), scheduled))) {
            findings.add(Finding.harnessPaused(
                    worker, stalledMs, Math.max(longestMs, pauseMs), pauseMs, p99Ms, usual.beforeFaults));
        }
    }

    /**
     * Whether a single stall may have made what is reported: a p99.9, if it lasted for 0.1 % of the time, or the longest
     * latency.
     *
     * @param moments how many milliseconds were watched
     */
    private static boolean decides(double longestMs, long moments, LatencySnapshot latencies) {
        boolean makesPercentile = 100 * longestMs >= (100 - STALLED_PERCENTILE) * moments;
        boolean makesMaximum = longestMs >= latencies.histogram().getMaxValue() / 2e6;
        return longestMs >= LATE_NS / 1e6 && (makesPercentile || makesMaximum);
    }

    /** Whether the machines of workers had processor time to spare. */
    void judgeHosts(ResourcePeriod used, List<Evidence.WorkerSeen> workers) {
        for (String host : hosts(workers)) {
            judgeHost(
                    used,
                    host,
                    workers.stream()
                            .anyMatch(worker -> worker.equipment().besideBroker() && host.equals(worker.host())));
        }
    }

    /**
     * Whether a machine had processor time to spare. Time in which processors wait for a disk is to spare: it is not they that
     * are the bottleneck. A harness that has taken them all is not told again.
     *
     * @param besideBroker whether the broker is on this machine, which then has to do for both
     */
    private void judgeHost(ResourcePeriod used, String host, boolean besideBroker) {
        Optional<FigureUse> idle = use(used, Role.HOST, host, Figure.HOST_IDLE_PERCENT);
        boolean known = idle.isPresent() && idle.get().seconds() * 1e9 >= MIN_USAGE_NS;
        double spare = idle.map(FigureUse::mean).orElse(0.0) + mean(used, Role.HOST, host, Figure.HOST_IO_WAIT_PERCENT);
        if (known && !hostsTaken.contains(host) && spare < LITTLE_SPARE_PERCENT) {
            boolean saturated = spare < NO_SPARE_PERCENT && !besideBroker;
            findings.add(
                    Finding.hostSaturated(host, spare, besideBroker, saturated ? Severity.INVALIDATES : Severity.NOTE));
        }
    }

    /** Whether limits were reached. */
    void judgeLimits(ResourcePeriod used, ResourceLimits limits) {
        ProcessLimit clients = limits.clients().kept();
        ProcessLimit broker = limits.broker().kept();
        for (ResourceUse use : used.uses()) {
            if (use.role() == Role.HARNESS && use.name().equals(SamplingMonitor.HARNESS)) {
                judgeThrottling(use, clients, percent -> Finding.clientsThrottled(percent, cpus(clients)));
                judgeMemory(use, clients);
                judgeResident(use, limits.clients().asked().memoryBytes());
            } else if (use.role() == Role.HARNESS) {
                judgeThrottling(use);
            } else if (use.role() == Role.BROKER) {
                judgeThrottling(use, broker, percent -> Finding.brokerThrottled(use.name(), percent, cpus(broker)));
                judgeMemory(use, broker);
            }
        }
    }

    private void judgeResident(ResourceUse use, @Nullable Long limitBytes) {
        double resident = max(use, Figure.RESIDENT_BYTES);
        if (limitBytes != null && resident > limitBytes) {
            findings.add(Finding.clientsMemoryExceeded(limitBytes, resident));
        }
    }

    /** A worker elsewhere may be limited by whoever has started it. */
    private void judgeThrottling(ResourceUse worker) {
        double percent =
                worker.figure(Figure.CPU_THROTTLED_PERCENT).map(FigureUse::mean).orElse(0.0);
        if (percent >= THROTTLED_PERCENT) {
            findings.add(Finding.workerThrottled(worker.name(), Math.min(100, percent)));
        }
    }

    private static double cpus(ProcessLimit limit) {
        return limit.cpus() == null ? 0 : limit.cpus();
    }

    private void judgeThrottling(ResourceUse use, ProcessLimit limit, DoubleFunction<Finding> finding) {
        double percent =
                use.figure(Figure.CPU_THROTTLED_PERCENT).map(FigureUse::mean).orElse(0.0);
        if (limit.cpus() != null && percent >= THROTTLED_PERCENT) {
            findings.add(finding.apply(Math.min(100, percent)));
        }
    }

    private void judgeMemory(ResourceUse use, ProcessLimit limit) {
        Long limitBytes = limit.memoryBytes();
        if (limitBytes == null) {
            return;
        }
        double kills = max(use, Figure.OUT_OF_MEMORY_KILLS);
        double held = max(use, Figure.HELD_MEMORY_BYTES);
        boolean hit = max(use, Figure.MEMORY_LIMIT_HITS_PER_SEC) > 0
                || max(use, Figure.LIMITED_MEMORY_BYTES) >= MEMORY_FULL * limitBytes;
        if (kills > 0) {
            findings.add(Finding.killedForMemory(use.name(), limitBytes, (long) kills));
        } else if (held >= MEMORY_SHORT * limitBytes) {
            findings.add(Finding.memoryLimitReached(use.name(), limitBytes, held));
        } else if (hit) {
            findings.add(Finding.fileCacheLimited(use.name(), limitBytes));
        }
    }

    private static double max(ResourceUse use, Figure figure) {
        return use.figure(figure).map(FigureUse::max).orElse(0.0);
    }

    /** The run was ended because of a disk. */
    void judgeDisk(DiskSpace disk) {
        findings.add(Finding.diskNearlyFull(disk.folder(), disk.freeBytes(), disk.leastBytes()));
    }

    private static double mean(ResourcePeriod used, Role role, String name, Figure figure) {
        return use(used, role, name, figure).map(FigureUse::mean).orElse(0.0);
    }

    private static Optional<FigureUse> use(ResourcePeriod used, Role role, String name, Figure figure) {
        return used.uses().stream()
                .filter(use -> use.role() == role && use.name().equals(name))
                .flatMap(use -> use.figure(figure).stream())
                .findFirst();
    }

    /** Whether the latencies are what they seem. */
    void judgeLatencies(List<PeriodSnapshot> measured) {
        PeriodSnapshot total = total(measured);
        if (total == null) {
            return;
        }
        boolean byTwoClocks = total.shares().size() > 1;
        if (byTwoClocks && total.counts().impossible() > 0) {
            findings.add(Finding.impossibleLatencies(total.counts().impossible()));
        }
        for (Latency latency : Latency.values()) {
            LatencySnapshot snapshot = total.latency(latency);
            // By two clocks, it may be within what they can be apart.
            if (snapshot.negativeCount() > 0 && !(byTwoClocks && latency.isEndToEnd())) {
                findings.add(Finding.negativeLatencies(latency, snapshot.negativeCount()));
            }
            if (snapshot.saturatedCount() > 0) {
                findings.add(Finding.saturatedLatencies(latency, snapshot.saturatedCount()));
            }
        }
    }

    /**
     * A search has ended. It goes beyond what a system can do, and what the system refused then says nothing about the
     * rate that was found: it is worth a note, and is not counted again afterwards.
     */
    void searched(LoadOutcome.Refused refused) {
        inSearch = refused;
        if (refused.messages() > 0 || !refused.errors().isEmpty()) {
            findings.add(Finding.errorsInSearch(refused.messages(), refused.errors()));
        }
    }

    /** Whether every send has its answer, once producers are closed. */
    void judgeInFlight(Totals totals) {
        if (totals.inFlight() > 0) {
            findings.add(Finding.errors("a send was neither confirmed nor refused", totals.inFlight()));
        }
        if (totals.inFlight() < 0) {
            findings.add(Finding.errors("a send was answered more than once", -totals.inFlight()));
        }
    }

    /**
     * Whether errors were reported until now.
     *
     * @param severity of errors, which a run that was to last until there are some expects
     */
    void judgeRefused(Totals totals, Map<String, Long> errors, Severity severity) {
        long failed = totals.failed() - inSearch.messages();
        if (failed > 0) {
            findings.add(Finding.sendErrors(failed, severity));
        }
        if (totals.unknown() > 0) {
            findings.add(Finding.unknownMessages(totals.unknown()));
        }
        errors.forEach((kind, count) -> {
            long since = count - inSearch.errors().getOrDefault(kind, 0L);
            if (since > 0) {
                findings.add(Finding.errors(kind, since, severity));
            }
        });
    }

    /** Whether the measurement was what the workload demands. */
    void judgeSlo(List<RunResult.SloOutcome> outcomes) {
        outcomes.stream()
                .filter(outcome -> !outcome.passed())
                .map(Finding::sloMissed)
                .forEach(findings::add);
    }

    /** What became of the messages. */
    void judgeAudit(AuditReport audit) {
        judgeAudit(audit, false);
    }

    /**
     * The same.
     *
     * @param wentBeyond whether rates were gone through, one of which was too much: what is missing is then worth a
     *     note, since of a rate at which something is missing it is known already
     */
    void judgeAudit(AuditReport audit, boolean wentBeyond) {
        for (AuditReport.SubscriptionReport subscription : audit.subscriptions()) {
            String name = Integer.toString(subscription.subscription());
            long missing = subscription.lost() + subscription.undelivered();
            if (missing > 0 && wentBeyond) {
                findings.add(Finding.lostBeyondKnee(name, missing));
            } else {
                judgeMissing(name, subscription);
            }
            if (subscription.damaged() > 0) {
                findings.add(Finding.messagesDamaged(name, subscription.damaged()));
            }
            if (subscription.unexpected() > 0) {
                findings.add(Finding.unknownMessages(subscription.unexpected()));
            }
            if (subscription.duplicated() > 0) {
                findings.add(Finding.messagesDuplicated(name, subscription.duplicated()));
            }
            if (subscription.outOfOrder() > 0) {
                findings.add(Finding.messagesOutOfOrder(name, subscription.outOfOrder()));
            }
        }
    }

    private void judgeMissing(String name, AuditReport.SubscriptionReport subscription) {
        if (subscription.lost() > 0) {
            findings.add(
                    Finding.messagesLost(name, subscription.lost(), subscription.expected(), subscription.firstLost()));
        }
        if (subscription.undelivered() > 0) {
            findings.add(Finding.messagesUndelivered(name, subscription.undelivered(), subscription.expected()));
        }
    }

    /**
     * What counts alone tell where no message can be told from another: what is lost and what comes twice hide each other,
     * so there is at least so much of either.
     *
     * @param totals of what was sent since a search, once the clients were closed
     * @param settled whether nothing moved any more
     * @param wentBeyond see {@link #judgeAudit(AuditReport, boolean)}
     */
    void judgeCounts(Totals totals, boolean settled, boolean wentBeyond) {
        long expected = totals.sent() - totals.failed();
        for (int i = 0; i < totals.received().size(); i++) {
            String name = Integer.toString(i);
            long received = totals.received().get(i);
            if (received > totals.sent()) {
                findings.add(Finding.moreThanSent(name, received, totals.sent()));
            } else if (received < expected && wentBeyond) {
                findings.add(Finding.lostBeyondKnee(name, expected - received));
            } else if (received < expected) {
                findings.add(
                        settled
                                ? Finding.lostByCount(name, expected - received, expected)
                                : Finding.messagesUndelivered(name, expected - received, expected));
            }
        }
    }

    /** The same for a search. */
    void judgeCountsOfSearch(Totals totals) {
        long expected = totals.sent() - totals.failed();
        for (int i = 0; i < totals.received().size(); i++) {
            long missing = expected - totals.received().get(i);
            if (missing > 0) {
                findings.add(Finding.lostInSearch(Integer.toString(i), missing, expected));
            }
        }
    }

    /** What became of the messages of a search: what got lost there says nothing about the rate that was found. */
    void judgeAuditOfSearch(AuditReport audit) {
        for (AuditReport.SubscriptionReport subscription : audit.subscriptions()) {
            if (subscription.lost() > 0) {
                findings.add(Finding.lostInSearch(
                        Integer.toString(subscription.subscription()), subscription.lost(), subscription.expected()));
            }
        }
    }

    /** What the size of the messages keeps from being measured. */
    void judgeLayout(MessageHeader.Layout layout, int messageSizeBytes) {
        if (layout != MessageHeader.Layout.FULL) {
            findings.add(Finding.smallMessages(messageSizeBytes, layout));
        }
    }

    /** Whether the header leaves room for as many random bytes as the workload asks for. */
    void judgeRandomness(Workload workload) {
        if (!workload.useRandomizedPayloads()) {
            return;
        }
        double ratio = workload.randomBytesRatio();
        int headerBytes = workload.reservedBytes();
        double allBytes = 0;
        double randomBytes = 0;
        boolean fewer = false;
        for (SizeShare share : workload.sizes()) {
            int random = Payloads.randomBytes(share.size(), ratio, headerBytes);
            allBytes += share.weight() * share.size();
            randomBytes += share.weight() * random;
            fewer |= random < Payloads.randomBytes(share.size(), ratio, 0);
        }
        if (fewer) {
            findings.add(Finding.fewerRandomBytes(ratio, randomBytes / allBytes, headerBytes));
        }
    }
}
