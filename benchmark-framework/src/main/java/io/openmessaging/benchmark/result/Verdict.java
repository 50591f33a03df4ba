package io.openmessaging.benchmark.result;

/** Whether the figures of a run may be relied on. */
public enum Verdict {
    /** The run did what the workload asks for, and nothing speaks against its figures. */
    OK,
    /** The run went to its end, but a finding says that its figures do not mean what they seem to. */
    INVALID,
    /** The run was ended early by the user; the figures are those measured until then. */
    INTERRUPTED,
    /** An error ended the run; the figures, if there are any, are those measured until then. */
    FAILED
}
