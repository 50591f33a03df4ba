package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.Finding.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Finds what speaks against the figures of a run. Pure: from figures to findings. */
final class Judge {

    /** A target counts as reached from this part of it on. */
    static final double REACHED = 0.99;

    /** How far the two halves of a measurement may be apart. */
    static final double STEADY_WITHIN = 0.20;

    /** Fewer periods say nothing about steadiness. */
    static final int PERIODS_FOR_STEADINESS = 6;

    /** From this part of all processors on, the harness is taken for the bottleneck. */
    static final double CPU_BOUND = 0.90;

    /** More time than this in garbage collection distorts every figure. */
    static final double MAX_COLLECTION_SHARE = 0.10;

    /** From this part of the harness' own limit on, a rate is worth a note. */
    static final double NEAR_CEILING = 0.50;

    /** From this part of the harness' own limit on, it is the harness that is measured. */
    static final double AT_CEILING = 0.90;

    /** Shorter measurements are not judged by what the harness used. */
    static final long SHORTEST_USAGE_NS = TimeUnit.SECONDS.toNanos(2);

    /** A p99 of the send delay beyond this is worth a note. */
    static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** A p99 of the send delay beyond this means that the load was not the one asked for. */
    static final long VERY_LATE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A growth of the backlog below this may be messages that just happened to be on their way. */
    static final long BACKLOG_NOISE_MESSAGES = 1000;

    private final List<Finding> findings = new ArrayList<>();

    /** What was found, that which invalidates the result first. */
    List<Finding> findings() {
        return findings.stream().sorted(Comparator.comparing(Finding::severity)).toList();
    }

    /** Something that the run noticed itself. */
    void note(Finding finding) {
        findings.add(finding);
    }

    /** Whether the load was the one asked for. */
    void judgeLoad(List<PeriodSnapshot> measured, OptionalDouble targetMsgPerSec) {
        PeriodSnapshot total = total(measured);
        if (total == null) {
            return;
        }
        if (targetMsgPerSec.isPresent()) {
            double target = targetMsgPerSec.getAsDouble();
            if (total.publishRate() < REACHED * target) {
                findings.add(new Finding.TargetRateMissed(target, total.publishRate()));
            }
            long delayP99Ns = total.latency(Latency.SEND_DELAY).histogram().getValueAtPercentile(99);
            if (delayP99Ns > LATE_NS) {
                findings.add(new Finding.SendsLate(
                        delayP99Ns, delayP99Ns > VERY_LATE_NS ? Severity.INVALIDATES : Severity.NOTE));
            }
        }
        judgeSteadiness(measured);
    }

    private void judgeSteadiness(List<PeriodSnapshot> measured) {
        if (measured.size() < PERIODS_FOR_STEADINESS) {
            return;
        }
        int middle = measured.size() / 2;
        double first = rate(measured.subList(0, middle));
        double second = rate(measured.subList(middle, measured.size()));
        if (Math.abs(first - second) > STEADY_WITHIN * Math.max(first, second)) {
            findings.add(new Finding.NotSteady(first, second));
        }
    }

    private static double rate(List<PeriodSnapshot> periods) {
        PeriodSnapshot total = total(periods);
        return total == null ? 0 : total.publishRate();
    }

    private static @Nullable PeriodSnapshot total(List<PeriodSnapshot> periods) {
        return periods.stream().reduce(PeriodSnapshot::followedBy).orElse(null);
    }

    /** Whether consumers fell behind while it was measured. */
    void judgeConsumers(List<PeriodSnapshot> measured, long backlogBefore) {
        PeriodSnapshot total = total(measured);
        if (total == null) {
            return;
        }
        long backlog = total.totals().largestBacklog();
        double tolerated =
                Math.max(BACKLOG_NOISE_MESSAGES, (1 - REACHED) * total.counts().sent());
        if (backlog - backlogBefore > tolerated) {
            findings.add(new Finding.ConsumersBehind(backlog, "at the slowest subscription when the load ended"));
        }
    }

    /** Whether the harness was in its own way. A moment says nothing: there, one collection is a large share. */
    void judgeHarness(HarnessUsage usage) {
        if (usage.atNs() < SHORTEST_USAGE_NS) {
            return;
        }
        if (usage.cores() >= CPU_BOUND * usage.processors()) {
            findings.add(new Finding.HarnessCpuBound(usage.cores(), usage.processors()));
        }
        if (usage.collectionShare() > MAX_COLLECTION_SHARE) {
            findings.add(new Finding.HarnessCollectsGarbage(usage.collectionShare()));
        }
    }

    /**
     * Whether the harness would be capable of more.
     *
     * @param ceilingMsgPerSec the highest rate it is capable of without a real client
     */
    void judgeCeiling(List<PeriodSnapshot> measured, OptionalDouble targetMsgPerSec, double ceilingMsgPerSec) {
        PeriodSnapshot total = total(measured);
        if (total == null) {
            return;
        }
        double rate = Math.max(targetMsgPerSec.orElse(0), total.sendRate());
        if (rate >= NEAR_CEILING * ceilingMsgPerSec) {
            findings.add(new Finding.NearHarnessCeiling(
                    rate,
                    ceilingMsgPerSec,
                    rate >= AT_CEILING * ceilingMsgPerSec ? Severity.INVALIDATES : Severity.NOTE));
        }
    }

    /** Whether the latencies are what they seem. */
    void judgeLatencies(List<PeriodSnapshot> measured) {
        PeriodSnapshot total = total(measured);
        if (total == null) {
            return;
        }
        for (Latency latency : Latency.values()) {
            LatencySnapshot snapshot = total.latency(latency);
            if (snapshot.negativeCount() > 0) {
                findings.add(new Finding.NegativeLatencies(latency, snapshot.negativeCount()));
            }
            if (snapshot.saturatedCount() > 0) {
                findings.add(new Finding.SaturatedLatencies(latency, snapshot.saturatedCount()));
            }
        }
    }

    /** Whether errors were reported. */
    void judgeErrors(long failedSends, long unknownMessages, Map<String, Long> errors) {
        if (failedSends > 0) {
            findings.add(new Finding.SendErrors(failedSends));
        }
        if (unknownMessages > 0) {
            findings.add(new Finding.UnknownMessages(unknownMessages));
        }
        errors.forEach((kind, count) -> findings.add(new Finding.Errors(kind, count)));
    }

    /** What became of the messages. */
    void judgeAudit(AuditReport audit) {
        for (AuditReport.Subscription subscription : audit.subscriptions()) {
            String name = Integer.toString(subscription.subscription());
            if (subscription.lost() > 0) {
                findings.add(new Finding.MessagesLost(
                        name, subscription.lost(), subscription.expected(), subscription.firstLost()));
            }
            if (subscription.unexpected() > 0) {
                findings.add(new Finding.UnknownMessages(subscription.unexpected()));
            }
            if (subscription.duplicated() > 0) {
                findings.add(new Finding.MessagesDuplicated(name, subscription.duplicated()));
            }
            if (subscription.outOfOrder() > 0) {
                findings.add(new Finding.MessagesOutOfOrder(name, subscription.outOfOrder()));
            }
        }
    }

    /** What the size of the messages keeps from being measured. */
    void judgeLayout(MessageHeader.Layout layout, int messageSizeBytes) {
        if (layout != MessageHeader.Layout.FULL) {
            findings.add(new Finding.SmallMessages(messageSizeBytes, layout == MessageHeader.Layout.COMPACT));
        }
    }
}
