package io.openmessaging.benchmark.live;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The number of ended runs by verdict, and the outcome of the last one. Thread-safe. */
final class EndedRuns {

    private final Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
    private @Nullable RunResult last;

    /** Adds a run that has ended. */
    synchronized void add(RunResult result) {
        counts.merge(result.verdict(), 1, Integer::sum);
        last = result;
    }

    /** Adds all figures to an answer. */
    synchronized void addTo(Families families) {
        for (Verdict verdict : Verdict.values()) {
            families.with("verdict", verdict.name())
                    .counter("runs", "Runs that have ended in this process.", counts.getOrDefault(verdict, 0));
        }
        if (last != null) {
            String workload = last.workload().workload().name();
            addLast(families.with("workload", workload, "driver", last.driver().name()), last);
        }
    }

    private static void addLast(Families families, RunResult result) {
        String help = "Verdict of the last run that has ended: 1 for the one that applies.";
        for (Verdict verdict : Verdict.values()) {
            families.with("verdict", verdict.name())
                    .gauge("last_run_verdict", help, verdict == result.verdict() ? 1 : 0);
        }
        families.findings("last_run_findings", "The findings of the last run, with their counts.", result.findings());
        AuditReport audit = result.audit();
        if (audit != null) {
            audit.subscriptions().forEach(subscription -> addAudit(families, subscription));
        }
    }

    private static void addAudit(Families families, AuditReport.SubscriptionReport audited) {
        Families ofSubscription = families.with("subscription", Integer.toString(audited.subscription()));
        Map<String, Long> outcomes = Map.of(
                "expected", audited.expected(),
                "lost", audited.lost(),
                "undelivered", audited.undelivered(),
                "duplicated", audited.duplicated(),
                "out_of_order", audited.outOfOrder(),
                "failed_but_received", audited.failedButReceived(),
                "unexpected", audited.unexpected());
        String help = "Outcome of the messages of the last run.";
        outcomes.forEach((outcome, count) ->
                ofSubscription.with("outcome", outcome).gauge("last_run_audit_messages", help, count));
    }
}
