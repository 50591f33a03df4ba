package io.openmessaging.benchmark.judge;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.config.AbortRules;
import io.openmessaging.benchmark.config.LatencyBound;
import io.openmessaging.benchmark.config.SizeShare;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.judge.outage.FaultJudge;
import io.openmessaging.benchmark.judge.worker.ClockFindings;
import io.openmessaging.benchmark.judge.worker.WorkerSeen;
import io.openmessaging.benchmark.limits.ProcessLimit;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.Payloads;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.metric.SharedDefinitions;
import io.openmessaging.benchmark.resources.DiskSpace;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.FigureUse;
import io.openmessaging.benchmark.resources.HostProbe;
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

/** Finds reasons not to rely on the figures of a run. Pure: from figures to findings. */
public final class Judge {

    /** A target counts as reached from this part of it on. */
    public static final double REACHED = 0.99;

    /**
     * A measurement may exclude one message plus the messages due in this time. Without this tolerance, a slow or short
     * load would miss its target by rounding.
     */
    static final double CUT_OFF_SECONDS = 0.02;

    /** Largest tolerated difference between the two halves of a measurement. */
    static final double STEADY_WITHIN = 0.20;

    /** Fewer periods say nothing about steadiness. */
    static final int PERIODS_FOR_STEADINESS = 6;

    /** From this part of all processors on, the harness counts as the bottleneck. */
    static final double CPU_BOUND = 0.90;

    /**
     * Above this part of a machine's processor time, other programs count. It was −1.5 to 8.8 % in 20 runs on a machine
     * that had nothing else to do, where the kernel writes to disks, and 22 to 57 % in 8 runs beside builds.
     */
    private static final double MAX_OTHERS_PERCENT = 15;

    /** In a shorter measurement, the start dominates the use of processors. */
    static final long MIN_USAGE_NS = TimeUnit.SECONDS.toNanos(1);

    /** Tolerated deviation of a random count, in standard deviations. */
    public static final double SCATTER = 4;

    /** A larger share of time in garbage collection distorts every figure. */
    static final double MAX_COLLECTION_SHARE = 0.10;

    /** From this part of the harness' own limit on, a rate is worth a note. */
    static final double NEAR_CEILING = 0.50;

    /** From this part of the harness' own limit on, the harness is measured and not the system. */
    static final double AT_CEILING = 0.90;

    /** A larger part of a machine's time taken by others is worth a note, in percent. */
    static final double MAX_STEAL_PERCENT = 5;

    /** Percentile of all moments at which the harness' stalls are compared with the reported latencies. */
    static final double STALLED_PERCENTILE = 99.9;

    /**
     * Ten seconds of samples, one a millisecond. Among fewer, less than ten lie beyond that percentile: a single stall
     * would decide.
     */
    static final long FEWEST_MOMENTS = 10_000;

    /** A machine with less spare processor time is worth a note, in percent. */
    static final double LITTLE_SPARE_PERCENT = 10;

    /** With less spare processor time, the machine limits the result, not the system; in percent. */
    static final double NO_SPARE_PERCENT = 5;

    /** From this part of the time on, it is worth a note that processes were throttled by their limit, in percent. */
    static final double THROTTLED_PERCENT = 5;

    /** From this part of a memory limit on, held memory counts as all of it. */
    static final double MEMORY_SHORT = 0.95;

    /** From this part of a memory limit on, memory counts as full: the kernel charges in batches. */
    static final double MEMORY_FULL = 0.99;

    /** A p99 of the send delay beyond this is worth a note. */
    static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** A p99 of the send delay beyond this means that the load was not the one asked for. */
    private static final long VERY_LATE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Findings about the load that a clock jump can explain: schedules and periods follow it. */
    private static final List<String> FOLLOWS_CLOCK = SharedDefinitions.texts("findings.yaml", "followsClock");

    /** The findings against the figures of a run; those that invalidate the result come first. */
    public static List<Finding> findings(Evidence evidence) {
        Judge judge = new Judge();
        judge.clockMoved = ClockFindings.haveMoved(evidence.harness().workers());
        evidence.harness().lost().forEach(lost -> judge.findings.add(Finding.workerLost(lost.sentence())));
        judge.findings.addAll(evidence.notes());
        if (!evidence.workload().consumesOnly()) {
            judge.judgeMessages(evidence);
            judge.judgeMeasurement(evidence);
        } else if (evidence.ending().totals() != null) {
            judge.judgeRefused(evidence.ending().totals(), evidence.ending().errors(), Severity.INVALIDATES);
        }
        judge.judgeMachine(evidence);
        boolean explains = judge.findings.stream().anyMatch(finding -> FOLLOWS_CLOCK.contains(finding.kind()));
        judge.findings.addAll(ClockFindings.moved(evidence.harness().workers(), explains));
        FaultOutcome.FaultReport faults = evidence.ending().faults();
        List<Finding> found = faults == null
                ? judge.findings
                : FaultJudge.findings(
                        judge.findings, faults, evidence.workload().faultBounds());
        return Finding.inOrder(Finding.expecting(evidence.workload().expect(), found));
    }

    /**
     * The findings if a measurement ended now, as far as they are known before the audit: its load and consumers until
     * now, its latencies, errors.
     *
     * @param seen the measurement until now
     * @param expected intended load until now
     * @param backlogs backlogs of its subscriptions until now; empty if it started with one that was built
     * @param slo bounds on latencies; a bound with too few samples until now yields no finding
     * @param search messages refused in a search for the rate; null if there was none
     * @param errors errors until now, by kind
     * @param faults true if the workload has faults
     */
    public static List<Finding> soFar(
            PeriodSnapshot seen,
            ExpectedLoad expected,
            List<BacklogTrend> backlogs,
            List<LatencyBound> slo,
            LoadOutcome.@Nullable Refused search,
            Map<String, Long> errors,
            boolean faults) {
        Judge judge = new Judge();
        List<PeriodSnapshot> measured = List.of(seen);
        judge.judgeLoad(measured, expected);
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
        return faults ? Finding.inOrder(FaultJudge.softened(judge.findings)) : judge.findings();
    }

    private void judgeMessages(Evidence evidence) {
        LoadOutcome load = evidence.load();
        Evidence.Ending ending = evidence.ending();
        if (load.search() != null) {
            searched(load.search().refused());
        }
        if (ending.audit() != null) {
            judgeAudit(ending.audit(), load.wentBeyond() && countsTellLosses(evidence, ending.audit()));
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
            // Nobody knows the outcome of a lost worker's sends.
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

    /**
     * Returns whether the counts after each rate of a sweep told whether messages were missing: a duplicate at another
     * consumer of the subscription is recognized only later, and stands in for a missing message until then.
     */
    private static boolean countsTellLosses(Evidence evidence, AuditReport audit) {
        return evidence.workload().consumerPerSubscription() == 1
                || audit.subscriptions().stream().allMatch(subscription -> subscription.duplicated() == 0);
    }

    private void judgeMeasurement(Evidence evidence) {
        List<PeriodSnapshot> measured = evidence.measured();
        LoadOutcome load = evidence.load();
        // The last step of a growing load is meant to find out that consumers fall behind.
        if (load.breach().isEmpty()) {
            judgeConsumers(measured, load.backlogs());
        }
        judgeLoad(measured, load.expected());
        if (load.breach().isEmpty()) {
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
        List<WorkerSeen> workers = harness.workers();
        findings.addAll(ClockFindings.findings(workers, harness.clocks(), total(measured)));
        judgeHarnesses(workers, surroundings.limits());
        ResourcePeriod used =
                RunPeriod.together(evidence.periods()).map(RunPeriod::used).orElse(ResourcePeriod.NONE);
        judgeResources(
                measured,
                used,
                workers,
                surroundings.limits().clientCores(),
                surroundings.problems(),
                evidence.ending().faults());
        judgeHosts(used, workers);
        judgeOthers(used, workers);
        judgeLimits(used, surroundings.limits());
        if (surroundings.diskNearlyFull() != null) {
            judgeDisk(surroundings.diskNearlyFull());
        }
        judgeCeilings(measured, evidence.load().targetMsgPerSec(), workers);
    }

    /**
     * The findings about processes and machines that had no processor time to spare, if a measurement ended now.
     *
     * @param used resources used in the measurement until now
     * @param workers workers with their usage until now
     */
    public static List<Finding> machinesSoFar(ResourcePeriod used, List<WorkerSeen> workers, ResourceLimits limits) {
        Judge judge = new Judge();
        judge.judgeHarnesses(workers, limits);
        judge.judgeHosts(used, workers);
        judge.judgeOthers(used, workers);
        return judge.findings;
    }

    /**
     * Returns whether a finding about the harness or a machine invalidates a measurement, whatever the system did.
     *
     * @param measured periods of the measurement
     * @param targetMsgPerSec its rate
     * @param used resources used in it
     * @param workers workers with their usage in it
     */
    public static boolean isOfHarness(
            List<PeriodSnapshot> measured,
            double targetMsgPerSec,
            ResourcePeriod used,
            List<WorkerSeen> workers,
            ResourceLimits limits) {
        Judge judge = new Judge();
        judge.findings.addAll(machinesSoFar(used, workers, limits));
        judge.judgeCeilings(measured, OptionalDouble.of(targetMsgPerSec), workers);
        return judge.findings.stream().anyMatch(Finding::decidesVerdict);
    }

    private void judgeHarnesses(List<WorkerSeen> workers, ResourceLimits limits) {
        if (limits.limitsEachClient()) {
            // A client may use up the limits that are part of the test; judgeLimits() notes it.
            workers.forEach(worker -> judgeCollections(worker, Severity.NOTE));
        } else {
            workers.forEach(worker -> judgeHarness(worker, limits.clientCores()));
        }
    }

    private final List<Finding> findings = new ArrayList<>();

    /** Hosts on which a worker used all processors. */
    private final Set<String> hostsTaken = new HashSet<>();

    private LoadOutcome.Refused inSearch = LoadOutcome.Refused.NOTHING;

    private boolean clockMoved;

    /** The findings; those that invalidate the result come first. */
    List<Finding> findings() {
        return Finding.inOrder(findings);
    }

    /** Judges whether the load was the requested one. */
    void judgeLoad(List<PeriodSnapshot> measured, ExpectedLoad expected) {
        PeriodSnapshot total = total(measured);
        if (total == null) {
            return;
        }
        if (expected.targetMsgPerSec().isPresent()) {
            judgeTarget(measured, total, expected.targetMsgPerSec().getAsDouble(), expected);
        }
        Steadiness.stalls(measured, expected).ifPresent(findings::add);
        if (expected.even()) {
            // Halves that differ are more significant than periods that differ.
            halves(measured, expected)
                    .map(differ -> Finding.notSteady(differ.firstMsgPerSec, differ.secondMsgPerSec))
                    .or(() -> Steadiness.unevenness(measured, expected))
                    .ifPresent(findings::add);
            expected.driftWithin().ifPresent(tolerated -> judgeDrift(measured, tolerated));
        }
    }

    private void judgeTarget(
            List<PeriodSnapshot> measured, PeriodSnapshot total, double targetMsgPerSec, ExpectedLoad expected) {
        double seconds = expected.publishSeconds().orElse(total.secondsOfEach());
        double target = targetMsgPerSec * seconds;
        long published = total.counts().acknowledged();
        double tolerated = toleratedShortfall(targetMsgPerSec, seconds) + expected.scatter(target);
        if (published < target - tolerated) {
            findings.add(Finding.targetRateMissed(targetMsgPerSec, published / seconds));
        } else if (published > target + tolerated
                && (total.counts().sent() > target + tolerated || highestInFlight(measured) < -tolerated)) {
            findings.add(Finding.targetRateExceeded(targetMsgPerSec, published / seconds, clockMoved));
        }
        long delayP99Ns = total.latency(Latency.SEND_DELAY).histogram().getValueAtPercentile(99);
        if (delayP99Ns > LATE_NS) {
            findings.add(
                    Finding.sendsLate(delayP99Ns, delayP99Ns > VERY_LATE_NS ? Severity.INVALIDATES : Severity.NOTE));
        }
    }

    /**
     * The largest number of messages in flight at the end of a period, less those at the start: below zero if the start
     * had more than any time after it, as after a stall, and not only by the chance of when one looks.
     */
    private static long highestInFlight(List<PeriodSnapshot> measured) {
        long inFlight = 0;
        long highest = Long.MIN_VALUE;
        for (PeriodSnapshot period : measured) {
            inFlight += period.counts().inFlight();
            highest = Math.max(highest, inFlight);
        }
        return highest;
    }

    /** Number of messages by which a count may be below the target while the rate still counts as reached. */
    static double toleratedShortfall(double targetMsgPerSec, double seconds) {
        return Math.max((1 - REACHED) * targetMsgPerSec * seconds, cutOffMessages(targetMsgPerSec));
    }

    private static double cutOffMessages(double targetMsgPerSec) {
        return 1 + CUT_OFF_SECONDS * targetMsgPerSec;
    }

    /**
     * Judges whether the load reached the end of its schedule. Called once it is known whether it reached its target:
     * a stall at the end may be too short to miss that.
     */
    void judgeUnsent(RunResult.Censored censored, OptionalDouble targetMsgPerSec) {
        if (!isFound("TargetRateMissed") && targetMsgPerSec.isPresent()) {
            unsent(censored.unsent(), censored.longestWaitNs(), targetMsgPerSec.getAsDouble())
                    .ifPresent(findings::add);
        }
    }

    /** The finding for messages due but not sent at the end of a load; empty for those that any end cuts off. */
    public static Optional<Finding> unsent(long messages, long longestWaitNs, double targetMsgPerSec) {
        Severity severity = longestWaitNs >= VERY_LATE_NS ? Severity.INVALIDATES : Severity.NOTE;
        return messages > cutOffMessages(targetMsgPerSec)
                ? Optional.of(Finding.dueMessagesUnsent(messages, longestWaitNs, severity))
                : Optional.empty();
    }

    /** The publish rates of the two halves of a measurement. */
    private record Halves(double firstMsgPerSec, double secondMsgPerSec) {}

    /**
     * Judges a number of messages from a cold start. Such a load may be slow at first, since its time counts from the
     * first message, but the reader needs to know how much of it was warm-up.
     */
    public static Optional<Finding> coldStart(List<PeriodSnapshot> measured) {
        return halves(measured, ExpectedLoad.even(OptionalDouble.empty(), false))
                .filter(differ -> differ.secondMsgPerSec > differ.firstMsgPerSec)
                .map(rising -> Finding.coldStart(rising.firstMsgPerSec, rising.secondMsgPerSec));
    }

    /** Returns the halves if they differ by more than a steady load does. */
    private static Optional<Halves> halves(List<PeriodSnapshot> measured, ExpectedLoad expected) {
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
        // In a slow load, one message more or less in either half says nothing.
        double fewMessages = (1 + expected.scatter(first.counts().acknowledged())) / first.secondsOfEach()
                + (1 + expected.scatter(second.counts().acknowledged())) / second.secondsOfEach();
        return difference > tolerated + fewMessages
                ? Optional.of(new Halves(first.publishRate(), second.publishRate()))
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

    /** Judges whether consumers fell behind during the measurement, or caught up with earlier messages. */
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
     * Judges whether different consumers of a subscription received more duplicates than a backlog may grow by. Such a
     * duplicate is recognized only some 30,000 messages later, and until then counts instead of a message that has
     * not arrived.
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
     * Returns whether all messages of a measurement had certainly arrived at its end, as their count suggested.
     *
     * @param measured counts at the end of the measurement, since a search
     */
    public static boolean allHadArrived(AuditReport audit, Totals measured) {
        return audit.subscriptions().stream()
                .allMatch(subscription -> subscription.lost() + subscription.undelivered() == 0
                        && foundLate(subscription, measured) == 0);
    }

    /** Judges whether confirmations fell behind sends, unless the rate shows that already. */
    void judgeConfirmations(List<PeriodSnapshot> measured, List<BacklogTrend> backlogs) {
        PeriodSnapshot total = total(measured);
        if (total == null || isFound("TargetRateMissed")) {
            return;
        }
        double shortestS = shortestSeconds(total.latency(Latency.PUBLISH));
        first(backlogs, trend -> trend.unacknowledgedGrowth(shortestS))
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
     * Judges whether a worker slowed itself down.
     *
     * @param allowedCores limit of the worker, if that is less than the number of processors
     */
    void judgeHarness(WorkerSeen worker, double allowedCores) {
        HarnessUsage usage = worker.usage();
        if (usage != null && usage.atNs() >= MIN_USAGE_NS) {
            double cores = Math.min(allowedCores, usage.processors());
            if (usage.cores() >= CPU_BOUND * cores) {
                findings.add(Finding.harnessCpuBound(worker.name(), usage.cores(), cores));
                hostsTaken.add(worker.host());
            }
        }
        judgeCollections(worker, Severity.INVALIDATES);
    }

    /** Judges a worker's garbage collections. In a very short measurement, one collection would be a large share. */
    private void judgeCollections(WorkerSeen worker, Severity severity) {
        HarnessUsage usage = worker.usage();
        if (usage != null && usage.atNs() >= MIN_USAGE_NS && usage.collectionShare() > MAX_COLLECTION_SHARE) {
            findings.add(Finding.harnessCollectsGarbage(worker.name(), usage.collectionShare(), severity));
        }
    }

    /** Judges whether the harness had capacity to spare: each worker more than its part of the rate. */
    void judgeCeilings(List<PeriodSnapshot> measured, OptionalDouble targetMsgPerSec, List<WorkerSeen> workers) {
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
     * Judges whether the resources used speak against the figures.
     *
     * @param clientCores number of processors that a worker may use
     * @param problems reasons why figures could not be read
     * @param faults null without faults
     */
    void judgeResources(
            List<PeriodSnapshot> measured,
            ResourcePeriod used,
            List<WorkerSeen> workers,
            double clientCores,
            List<String> problems,
            FaultOutcome.@Nullable FaultReport faults) {
        problems.forEach(problem -> findings.add(Finding.metricsNotRead(problem)));
        PeriodSnapshot total = total(measured);
        if (total == null) {
            return;
        }
        for (WorkerSeen worker : workers) {
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

    private static Set<String> hosts(List<WorkerSeen> workers) {
        return workers.stream().map(WorkerSeen::host).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /**
     * The latency that a stall is compared with.
     *
     * @param p99Ms p99 of the publish latency; in a run with faults, that before the first one, since a fault hides
     *     stalls in it
     */
    private record Usual(double p99Ms, boolean beforeFaults) {}

    /** Judges whether a worker stood still for so long that it may have caused the reported latencies. */
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
     * Returns whether a single stall may have caused the reported latencies: a p99.9, if it lasted for 0.1 % of the
     * time, or the longest latency.
     *
     * @param moments number of milliseconds that were watched
     */
    private static boolean decides(double longestMs, long moments, LatencySnapshot latencies) {
        boolean makesPercentile = 100 * longestMs >= (100 - STALLED_PERCENTILE) * moments;
        boolean makesMaximum = longestMs >= latencies.histogram().getMaxValue() / 2e6;
        return longestMs >= LATE_NS / 1e6 && (makesPercentile || makesMaximum);
    }

    /** Judges whether the machines of workers had processor time to spare. */
    void judgeHosts(ResourcePeriod used, List<WorkerSeen> workers) {
        for (String host : hosts(workers)) {
            judgeHost(
                    used,
                    host,
                    workers.stream()
                            .anyMatch(worker -> worker.equipment().besideBroker() && host.equals(worker.host())));
        }
    }

    /**
     * Judges whether a machine had processor time to spare. Time in which processors wait for a disk is to spare,
     * because they are not the bottleneck then. A harness that is already reported as CPU-bound is not reported again.
     *
     * @param besideBroker true if the broker is on this machine, which then has to serve both
     */
    private void judgeHost(ResourcePeriod used, String host, boolean besideBroker) {
        double spare = mean(used, Role.HOST, host, Figure.HOST_IDLE_PERCENT)
                + mean(used, Role.HOST, host, Figure.HOST_IO_WAIT_PERCENT);
        if (isWatched(used, host) && !hostsTaken.contains(host) && spare < LITTLE_SPARE_PERCENT) {
            boolean saturated = spare < NO_SPARE_PERCENT && !besideBroker;
            findings.add(
                    Finding.hostSaturated(host, spare, besideBroker, saturated ? Severity.INVALIDATES : Severity.NOTE));
        }
    }

    private static boolean isWatched(ResourcePeriod used, String host) {
        return use(used, Role.HOST, host, Figure.HOST_IDLE_PERCENT)
                .filter(idle -> idle.seconds() * 1e9 >= MIN_USAGE_NS)
                .isPresent();
    }

    /** Judges whether other programs used this machine's processors. */
    void judgeOthers(ResourcePeriod used, List<WorkerSeen> workers) {
        othersPercent(used, workers).ifPresent(percent -> findings.add(Finding.machineShared(percent)));
    }

    /**
     * The share of this machine's processors that the programs beyond the harness and the brokers that it watches used;
     * empty if that is little. Nothing is known if workers are elsewhere, or if a broker here is not watched.
     */
    public static Optional<Double> othersPercent(ResourcePeriod used, List<WorkerSeen> workers) {
        boolean allHere = workers.stream().allMatch(worker -> worker.host().equals(HostProbe.NAME));
        HarnessUsage usage = workers.isEmpty() ? null : workers.get(0).usage();
        double brokersPercent = used.sum(Role.BROKER, Figure.CPU_CORE_PERCENT).orElse(0);
        if (!allHere || usage == null || brokersPercent == 0 || !isWatched(used, HostProbe.NAME)) {
            return Optional.empty();
        }
        double ofRunPercent = (brokersPercent
                        + used.sum(Role.HARNESS, Figure.CPU_CORE_PERCENT).orElse(0)
                        + used.sum(Role.COORDINATOR, Figure.CPU_CORE_PERCENT).orElse(0))
                / usage.processors();
        double otherPercent = mean(used, Role.HOST, HostProbe.NAME, Figure.HOST_USER_PERCENT)
                + mean(used, Role.HOST, HostProbe.NAME, Figure.HOST_SYSTEM_PERCENT)
                - ofRunPercent;
        return otherPercent > MAX_OTHERS_PERCENT ? Optional.of(otherPercent) : Optional.empty();
    }

    /** Judges whether limits were reached. */
    void judgeLimits(ResourcePeriod used, ResourceLimits limits) {
        ProcessLimit clients = limits.clients().kept();
        ProcessLimit broker = limits.broker().kept();
        for (ResourceUse use : used.uses()) {
            if (use.role() == Role.HARNESS && use.name().equals(SamplingMonitor.HARNESS)) {
                judgeThrottling(use, clients, percent -> Finding.clientsThrottled(percent, cpus(clients)));
                judgeMemory(use, clients);
                judgeResident(use, limits.clients().asked().memoryBytes());
            } else if (use.role() == Role.HARNESS && !limits.limitsEachClient()) {
                judgeThrottling(use);
            } else if (use.role() == Role.BROKER) {
                judgeThrottling(use, broker, percent -> Finding.brokerThrottled(use.name(), percent, cpus(broker)));
                judgeMemory(use, broker);
            }
        }
        judgeEachClient(used, limits.eachClient().kept());
    }

    /** Judges the client that had to wait most; one finding for each client would hide the others. */
    private void judgeEachClient(ResourcePeriod used, ProcessLimit each) {
        used.uses().stream()
                .filter(use -> use.role() == Role.HARNESS)
                .max(Comparator.comparingDouble(Judge::throttledPercent))
                .ifPresent(use -> judgeThrottling(
                        use, each, percent -> Finding.eachClientThrottled(use.name(), percent, cpus(each))));
    }

    private static double throttledPercent(ResourceUse use) {
        return use.figure(Figure.CPU_THROTTLED_PERCENT).map(FigureUse::mean).orElse(0.0);
    }

    private void judgeResident(ResourceUse use, @Nullable Long limitBytes) {
        double resident = max(use, Figure.RESIDENT_BYTES);
        if (limitBytes != null && resident > limitBytes) {
            findings.add(Finding.clientsMemoryExceeded(limitBytes, resident));
        }
    }

    /** Judges the throttling of a remote worker, which may be limited by whoever started it. */
    private void judgeThrottling(ResourceUse worker) {
        double percent = throttledPercent(worker);
        if (percent >= THROTTLED_PERCENT) {
            findings.add(Finding.workerThrottled(worker.name(), Math.min(100, percent)));
        }
    }

    private static double cpus(ProcessLimit limit) {
        return limit.cpus() == null ? 0 : limit.cpus();
    }

    private void judgeThrottling(ResourceUse use, ProcessLimit limit, DoubleFunction<Finding> finding) {
        double percent = throttledPercent(use);
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

    /** Adds a finding that the run was ended because of a disk. */
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

    /** Judges whether the latencies are plausible. */
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
            // Between two clocks, a negative latency may be within their bound.
            if (snapshot.negativeCount() > 0 && !(byTwoClocks && latency.isEndToEnd())) {
                findings.add(Finding.negativeLatencies(latency, snapshot.negativeCount()));
            }
            if (snapshot.saturatedCount() > 0) {
                findings.add(Finding.saturatedLatencies(latency, snapshot.saturatedCount()));
            }
        }
    }

    /**
     * Notes what a system refused in a search. A search exceeds what a system can do, so refused messages say nothing
     * about the rate that was found: they are worth a note, and are not counted again afterwards.
     */
    void searched(LoadOutcome.Refused refused) {
        inSearch = refused;
        if (refused.messages() > 0 || !refused.errors().isEmpty()) {
            findings.add(Finding.errorsInSearch(refused.messages(), refused.errors()));
        }
    }

    /** Judges whether every send has its answer, once producers are closed. */
    void judgeInFlight(Totals totals) {
        if (totals.inFlight() > 0) {
            findings.add(Finding.errors("a send was neither confirmed nor refused", totals.inFlight()));
        }
        if (totals.inFlight() < 0) {
            findings.add(Finding.errors("a send was answered more than once", -totals.inFlight()));
        }
    }

    /**
     * Judges whether errors were reported until now.
     *
     * @param severity severity of errors; a run that was meant to last until there are some expects them
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

    /** Judges whether the measurement met the workload's bounds. */
    void judgeSlo(List<RunResult.SloOutcome> outcomes) {
        outcomes.stream()
                .filter(outcome -> !outcome.passed())
                .map(Finding::sloMissed)
                .forEach(findings::add);
    }

    /** Judges what became of the messages. */
    void judgeAudit(AuditReport audit) {
        judgeAudit(audit, false);
    }

    /**
     * Judges what became of the messages.
     *
     * @param wentBeyond true if one of several rates was too high: missing messages are then worth only a note, since
     *     the rate at which they went missing is already known
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
            if (subscription.outOfOrder() != null && subscription.outOfOrder() > 0) {
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
     * Judges by counts alone, where messages cannot be told apart: lost messages and duplicates hide each other, so
     * there is at least that much of either.
     *
     * @param totals totals of what was sent since a search, once the clients were closed
     * @param settled true if nothing moved any more
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

    /** Judges a search by counts alone, see {@link #judgeCounts}. */
    void judgeCountsOfSearch(Totals totals) {
        long expected = totals.sent() - totals.failed();
        for (int i = 0; i < totals.received().size(); i++) {
            long missing = expected - totals.received().get(i);
            if (missing > 0) {
                findings.add(Finding.lostInSearch(Integer.toString(i), missing, expected));
            }
        }
    }

    /** Judges the messages of a search: messages lost there say nothing about the rate that was found. */
    void judgeAuditOfSearch(AuditReport audit) {
        for (AuditReport.SubscriptionReport subscription : audit.subscriptions()) {
            if (subscription.lost() > 0) {
                findings.add(Finding.lostInSearch(
                        Integer.toString(subscription.subscription()), subscription.lost(), subscription.expected()));
            }
        }
    }

    /** Adds a finding of what cannot be measured because messages are small. */
    void judgeLayout(MessageHeader.Layout layout, int messageSizeBytes) {
        if (layout != MessageHeader.Layout.FULL) {
            findings.add(Finding.smallMessages(messageSizeBytes, layout));
        }
    }

    /** Judges whether the header leaves room for as many random bytes as the workload requests. */
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
