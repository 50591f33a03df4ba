package io.openmessaging.benchmark.driver.testkit.guarantee;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.fetch.PackageSet;
import io.openmessaging.benchmark.program.ProgramPath;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/**
 * Counts how often processes make the system write their files to the disk, by {@code strace}, which is fetched on
 * first use. Tracing slows these processes down and needs permission: root, or a system that lets users trace their own
 * processes.
 */
final class SyncCounter implements AutoCloseable {

    /**
     * All calls that return when data are on the disk, except writes to files that are opened in a synchronous mode.
     */
    private static final String CALLS = "fsync,fdatasync,msync,sync_file_range,syncfs,sync";

    private static final String FORBIDDEN = "Operation not permitted";

    private static final PackageSet PACKAGES = new PackageSet(
            "strace", "strace", List.of("strace"), 20, PackageSet.Release.DEBIAN_13, "run this test elsewhere");

    private final Process strace;
    private final Path calls;
    private final long startNs = System.nanoTime();

    private SyncCounter(Process strace, Path calls) {
        this.strace = strace;
        this.calls = calls;
    }

    /**
     * Starts counting.
     *
     * @param home the home folder where strace is kept
     * @param folder the folder for its output
     * @param pids the processes, with all their threads and child processes
     * @throws IllegalStateException if the processes may not be traced; outside of CI, the test is skipped instead
     */
    static SyncCounter attach(Path home, Path folder, List<Long> pids)
            throws IOException, LocalBrokerException, InterruptedException {
        PackageSet.Unpacked packages = PACKAGES.unpacked(home, ProgramPath.ofThisMachine(), System.err::println);
        Path calls = folder.resolve("calls");
        Path said = folder.resolve("said");
        List<String> command = new ArrayList<>(packages.command(packages.root().resolve("usr/bin/strace")));
        command.addAll(List.of("-f", "-e", "trace=" + CALLS, "-e", "signal=none", "-o", calls.toString()));
        pids.forEach(pid -> command.addAll(List.of("-p", pid.toString())));
        Process strace = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        SyncCounter counter = new SyncCounter(strace, calls);
        Patience.until("strace to attach", () -> !strace.isAlive() || hasAttached(said, pids));
        if (!hasAttached(said, pids)) {
            counter.close();
            String failure = "strace cannot trace " + pids + ": " + Files.readString(said);
            if (failure.contains(FORBIDDEN) && !"true".equals(System.getenv("CI"))) {
                throw new TestAbortedException(failure);
            }
            throw new IllegalStateException(failure);
        }
        return counter;
    }

    private static boolean hasAttached(Path said, List<Long> pids) throws IOException {
        String text = Files.readString(said);
        return pids.stream().allMatch(pid -> text.contains("Process " + pid + " attached"));
    }

    /** Returns the number of calls so far. */
    int count() throws IOException {
        try (Stream<String> lines = Files.lines(calls)) {
            // A call that another thread interrupts has a second line, which repeats the call's name.
            return (int) lines.filter(line -> line.contains("sync") && !line.contains(" resumed>"))
                    .count();
        }
    }

    /**
     * Returns by how much the number of calls so far exceeds that in an equally long idle time from now on: on a slow
     * machine, the processes make more of the calls that depend on the clock.
     */
    int countBeyondIdle() throws IOException {
        int busy = count();
        long idleStartNs = System.nanoTime();
        long busyNs = idleStartNs - startNs;
        Patience.until("idle for as long", () -> System.nanoTime() - idleStartNs >= busyNs);
        return busy - (count() - busy);
    }

    /** Detaches from the processes. */
    @Override
    public void close() {
        strace.destroy();
        try {
            Patience.exitCode("strace", strace);
        } catch (InterruptedException e) {
            strace.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
