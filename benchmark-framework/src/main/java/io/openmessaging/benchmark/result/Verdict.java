package io.openmessaging.benchmark.result;

import java.util.List;

/** A run's verdict: whether its figures may be relied on, and whether they meet the workload's demands. */
public enum Verdict {
    /** The run did what the workload demands, and nothing invalidates its figures; notes may limit what they say. */
    OK,
    /** The run completed, but a finding says that its figures do not mean what they seem to. */
    INVALID,
    /** The run did what the workload demands and its figures stand, but a bound of the workload's slo was missed. */
    SLO_MISSED,
    /** The run was ended early by the user; the figures are those measured until then. */
    INTERRUPTED,
    /** An error ended the run; the figures, if there are any, are those measured until then. */
    FAILED;

    /** Returns the verdict of a run that completed. */
    public static Verdict of(List<Finding> findings) {
        if (findings.stream().anyMatch(finding -> finding.severity() == Finding.Severity.INVALIDATES)) {
            return INVALID;
        }
        return findings.stream().anyMatch(finding -> finding.severity() == Finding.Severity.MISSES_SLO)
                ? SLO_MISSED
                : OK;
    }

    /** Returns whether the run completed. */
    public boolean ofWholeRun() {
        return this == OK || this == INVALID || this == SLO_MISSED;
    }
}
