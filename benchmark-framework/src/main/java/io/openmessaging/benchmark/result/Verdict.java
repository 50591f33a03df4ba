package io.openmessaging.benchmark.result;

import java.util.List;

/** Whether the figures of a run may be relied on, and whether they are what the workload demands. */
public enum Verdict {
    /** The run did what the workload asks for, and nothing speaks against its figures. */
    OK,
    /** The run went to its end, but a finding says that its figures do not mean what they seem to. */
    INVALID,
    /** The run did what the workload asks for and its figures stand, but a latency is not within the workload's slo. */
    SLO_MISSED,
    /** The run was ended early by the user; the figures are those measured until then. */
    INTERRUPTED,
    /** An error ended the run; the figures, if there are any, are those measured until then. */
    FAILED;

    /** The verdict of a run that went to its end. */
    public static Verdict of(List<Finding> findings) {
        if (findings.stream().anyMatch(finding -> finding.severity() == Finding.Severity.INVALIDATES)) {
            return INVALID;
        }
        return findings.stream().anyMatch(finding -> finding.severity() == Finding.Severity.MISSES_SLO)
                ? SLO_MISSED
                : OK;
    }

    /** Whether the run went to its end. */
    public boolean ofWholeRun() {
        return this == OK || this == INVALID || this == SLO_MISSED;
    }
}
