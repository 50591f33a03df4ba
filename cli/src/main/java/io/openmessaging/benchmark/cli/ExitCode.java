package io.openmessaging.benchmark.cli;

/** What the process ends with. */
final class ExitCode {

    /** All runs are OK. */
    static final int OK = 0;

    /** A run failed, is INVALID or missed its SLO. */
    static final int FAILED = 1;

    /** Bad arguments or configuration; nothing was run. */
    static final int BAD_INPUT = 2;

    /** Ended by Ctrl-C; what was measured is written. */
    static final int INTERRUPTED = 130;

    private ExitCode() {}
}
