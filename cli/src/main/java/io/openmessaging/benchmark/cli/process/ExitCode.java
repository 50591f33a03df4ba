package io.openmessaging.benchmark.cli.process;

/** Exit codes of the process. */
public final class ExitCode {

    /** All runs are OK. */
    public static final int OK = 0;

    /** A run failed, is INVALID or missed its SLO, or its workers are busy or away. */
    public static final int FAILED = 1;

    /** Bad arguments or configuration; nothing was run. */
    public static final int BAD_INPUT = 2;

    /** A plan was ended by {@code --stop-after}, and runs remain. */
    public static final int REMAINING = 3;

    /** Ended by Ctrl-C; what was measured is written. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
