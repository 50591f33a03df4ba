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
 * Counts how often processes have the system bring their files to the disk, by {@code strace}, which is fetched on first
 * use. It slows these processes down, and needs the right to look into them: root, or a system that lets users trace
 * their own processes.
 */
final class SyncCounter implements AutoCloseable {

    /** All calls that return when something is on the disk, but for writes to files that are opened for that. */
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
     * Begins to count.
     *
     * @param home where the program is kept
     * @param folder for what it writes
     * @param pids the processes, with all their threads and whatever they start
     * @throws IllegalStateException if they may not be looked into; on a machine that is no CI's, the test is left out
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
            String failure = "strace cannot look into " + pids + ": " + Files.readString(said);
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

    /** How many calls there were so far. */
    int count() throws IOException {
        try (Stream<String> lines = Files.lines(calls)) {
            // A call that another thread interrupts has a second line, which begins the call's name again.
            return (int) lines.filter(line -> line.contains("sync") && !line.contains(" resumed>"))
                    .count();
        }
    }

    /**
     * How many more calls there were so far than come in as long a time from now on, in which the processes have nothing to
     * do: a slow machine gives them more time for calls that they make by the clock.
     */
    int countBeyondIdle() throws IOException {
        int busy = count();
        long idleStartNs = System.nanoTime();
        long busyNs = idleStartNs - startNs;
        Patience.until("idle for as long", () -> System.nanoTime() - idleStartNs >= busyNs);
        return busy - (count() - busy);
    }

    /** Lets the processes go. */
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
