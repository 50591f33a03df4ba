package io.openmessaging.benchmark.live;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How many runs have ended in which way, and what became of the last one. Thread-safe. */
final class EndedRuns {

    private final Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
    private @Nullable RunResult last;

    /** One more. */
    synchronized void add(RunResult result) {
        counts.merge(result.verdict(), 1, Integer::sum);
        last = result;
    }

    /** Adds everything to an answer. */
    synchronized void addTo(Families families) {
        for (Verdict verdict : Verdict.values()) {
            families.counter(
                    "runs",
                    "Runs that have ended in this process.",
                    Labels.of("verdict", verdict.name()),
                    counts.getOrDefault(verdict, 0));
        }
        if (last != null) {
            addLast(families, last);
        }
    }

    private static void addLast(Families families, RunResult result) {
        Labels labels = RunFigures.labelsOf(
                result.workload().workload().name(), result.driver().name());
        for (Verdict verdict : Verdict.values()) {
            families.gauge(
                    "last_run_verdict",
                    "Verdict of the last run that has ended: 1 for one of them.",
                    labels.merge(Labels.of("verdict", verdict.name())),
                    verdict == result.verdict() ? 1 : 0);
        }
        Findings.add(
                families, "last_run_findings", "Findings of the last run, with how often.", labels, result.findings());
        AuditReport audit = result.audit();
        if (audit != null) {
            audit.subscriptions().forEach(subscription -> addAudit(families, labels, subscription));
        }
    }

    private static void addAudit(Families families, Labels labels, AuditReport.Subscription audited) {
        Labels ofSubscription = labels.merge(Labels.of("subscription", Integer.toString(audited.subscription())));
        Map<String, Long> outcomes = Map.of(
                "expected", audited.expected(),
                "lost", audited.lost(),
                "undelivered", audited.undelivered(),
                "duplicated", audited.duplicated(),
                "out_of_order", audited.outOfOrder(),
                "failed_but_received", audited.failedButReceived(),
                "unexpected", audited.unexpected());
        outcomes.forEach((outcome, count) -> families.gauge(
                "last_run_audit_messages",
                "What became of the messages of the last run.",
                ofSubscription.merge(Labels.of("outcome", outcome)),
                count));
    }
}
