package io.openmessaging.benchmark.judge.outage;

import io.openmessaging.benchmark.config.FaultBounds;
import io.openmessaging.benchmark.metric.SharedDefinitions;
import io.openmessaging.benchmark.result.FaultOutcome;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.Finding.Severity;
import java.util.ArrayList;
import java.util.List;

/**
 * Adapts the findings of a run to its planned faults. The expected effects of a fault on the load are worth a note and
 * do not invalidate the run; its effects on messages are what the run is to find out. Pure.
 */
public final class FaultJudge {

    /** Kinds of findings that a fault is expected to cause. */
    private static final List<String> EXPECTED = SharedDefinitions.texts("findings.yaml", "expectedOfFaults");

    private FaultJudge() {}

    /**
     * The findings of a run with faults.
     *
     * @param findings findings of the same run, as if there had been no faults
     * @param bounds bounds that the workload sets
     */
    public static List<Finding> findings(List<Finding> findings, FaultOutcome.FaultReport faults, FaultBounds bounds) {
        List<Finding> judged = new ArrayList<>();
        for (FaultOutcome fault : faults.faults()) {
            String problem = fault.event().problem();
            if (problem != null) {
                judged.add(Finding.faultNotDone(fault.event().what(), problem));
            }
        }
        addLost(judged, faults, bounds);
        if (faults.foundAnew() > 0) {
            judged.add(Finding.notDelivered(faults.foundAnew()));
        }
        bounds.down()
                .filter(limit -> faults.downSeconds() > limit.toMillis() / 1e3)
                .ifPresent(limit -> judged.add(Finding.downTooLong(faults.downSeconds(), limit.toMillis() / 1e3)));
        softened(findings).stream()
                .filter(finding -> !isAnswered(finding, faults))
                .forEach(judged::add);
        return judged;
    }

    /** Returns the findings, reduced to notes where a fault is expected to cause them. */
    public static List<Finding> softened(List<Finding> findings) {
        return findings.stream()
                .map(finding -> EXPECTED.contains(finding.kind())
                        ? new Finding(finding.kind(), Severity.NOTE, finding.text())
                        : finding)
                .toList();
    }

    /** Returns whether the fault report tells more precisely what became of the messages of a finding. */
    private static boolean isAnswered(Finding finding, FaultOutcome.FaultReport faults) {
        return switch (finding.kind()) {
            case "MessagesLost" ->
                faults.before().acknowledgedLost() + faults.before().found() == 0;
            case "MessagesUndelivered" -> faults.allUndeliveredFound();
            default -> false;
        };
    }

    private static void addLost(List<Finding> judged, FaultOutcome.FaultReport faults, FaultBounds bounds) {
        long lost = faults.acknowledgedLost();
        if (lost == 0) {
            return;
        }
        boolean tooMany = bounds.acknowledgedLost().isPresent()
                && lost > bounds.acknowledgedLost().getAsLong();
        List<String> where = new ArrayList<>();
        for (int i = 0; i < faults.faults().size(); i++) {
            FaultOutcome.Messages messages = faults.faults().get(i).messages();
            if (messages.acknowledgedLost() > 0) {
                where.add(messages.acknowledgedLost() + " by fault " + (i + 1));
            }
        }
        judged.add(Finding.acknowledgedLost(lost, where, tooMany ? Severity.MISSES_SLO : Severity.NOTE));
    }
}
