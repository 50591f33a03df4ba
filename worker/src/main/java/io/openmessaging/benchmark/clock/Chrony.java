package io.openmessaging.benchmark.clock;

import io.openmessaging.benchmark.program.ProgramRun;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The report of chrony, a daemon that sets clocks by NTP, on this machine's clock: for comparison only, nothing is
 * computed from it. The true error is at most {@code aheadNs} plus half the root delay plus the root dispersion, if its
 * time servers are right.
 *
 * @param aheadNs its estimate of how far the system's clock is ahead of the time servers', nanoseconds
 * @param rootDelayNs the round trip to the reference clock, nanoseconds
 * @param rootDispersionNs the accumulated errors on the way from the reference clock, nanoseconds
 */
public record Chrony(long aheadNs, long rootDelayNs, long rootDispersionNs) {

    private static final List<String> COMMAND = List.of("chronyc", "-c", "tracking");
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /**
     * Number of fields of a report, see chronyc(1): its lines in order, and the first line's name as a field of its
     * own.
     */
    private static final int FIELDS = 14;

    private static final int SYSTEM_TIME = 4;
    private static final int ROOT_DELAY = 10;
    private static final int ROOT_DISPERSION = 11;
    private static final int LEAP_STATUS = 13;

    /** Asks chrony; takes at most two seconds. Empty if it is not installed, does not run, or has no time server. */
    public static Optional<Chrony> ask() throws InterruptedException {
        return ask(COMMAND);
    }

    static Optional<Chrony> ask(List<String> command) throws InterruptedException {
        try {
            ProgramRun run = ProgramRun.of(new ProcessBuilder(command), "", PATIENCE);
            return run.succeeded() ? parse(String.join("\n", run.output())) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Reads a report of {@code chronyc -c tracking}. */
    static Optional<Chrony> parse(String report) {
        String[] fields = report.strip().split(",", -1);
        if (fields.length < FIELDS || fields[LEAP_STATUS].equals("Not synchronised")) {
            return Optional.empty();
        }
        try {
            // The report says by how much the clock is to be corrected: above 0 if it is behind.
            long aheadNs = -nanoseconds(fields[SYSTEM_TIME]);
            return Optional.of(
                    new Chrony(aheadNs, nanoseconds(fields[ROOT_DELAY]), nanoseconds(fields[ROOT_DISPERSION])));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static long nanoseconds(String seconds) {
        return Math.round(Double.parseDouble(seconds) * 1e9);
    }
}
