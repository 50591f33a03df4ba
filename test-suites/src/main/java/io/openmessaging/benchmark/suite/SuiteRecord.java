package io.openmessaging.benchmark.suite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes a record of a test process, for the table at the end of {@code bin/test}: one line with tabs in {@code
 * target/test-record}, with the module, tests, failures, aborted and skipped tests, wall-clock and processor time in
 * ms, and the number of starts of each system. Processor time includes that of children that the process waited for,
 * such as brokers; it is 0 where there is no {@code /proc}.
 *
 * <p>JUnit finds it by {@link java.util.ServiceLoader}. Methods may be called from any thread.
 */
public final class SuiteRecord implements TestExecutionListener {

    /** Linux reports process times in hundredths of a second on all its platforms (sysconf(_SC_CLK_TCK)). */
    private static final long MS_PER_TICK = 10;

    private final LongAdder tests = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder aborted = new LongAdder();
    private final LongAdder skipped = new LongAdder();
    private long startNs;
    private long startCpuMs;

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        startNs = System.nanoTime();
        startCpuMs = cpuMs();
    }

    @Override
    public void executionSkipped(TestIdentifier identifier, String reason) {
        skipped.increment();
    }

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        boolean successful = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
        if (!identifier.isTest() && successful) {
            return;
        }
        tests.increment();
        if (result.getStatus() == TestExecutionResult.Status.FAILED) {
            failed.increment();
        } else if (!successful) {
            aborted.increment();
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        Path module = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
        long wallMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        String line = String.join(
                "\t",
                module.getFileName().toString(),
                tests.toString(),
                failed.toString(),
                aborted.toString(),
                skipped.toString(),
                Long.toString(wallMs),
                Long.toString(cpuMs() - startCpuMs),
                BrokerStarts.take());
        try {
            Path folder = Files.createDirectories(module.resolve("target/test-record"));
            Files.writeString(folder.resolve(ProcessHandle.current().pid() + "-" + startNs + ".tsv"), line + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (LongAdder count : new LongAdder[] {tests, failed, aborted, skipped}) {
            count.reset();
        }
    }

    /** Returns the sum of the fields utime, stime, cutime and cstime of proc(5). */
    private static long cpuMs() {
        Path stat = Path.of("/proc/self/stat");
        if (!Files.exists(stat)) {
            return 0;
        }
        try {
            return cpuMs(Files.readString(stat));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static long cpuMs(String stat) {
        // Fields are counted from the end of the name, which may contain blanks: state is the third field.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        long ticks = 0;
        for (int field = 14; field <= 17; field++) {
            ticks += Long.parseLong(fields[field - 3]);
        }
        return ticks * MS_PER_TICK;
    }
}
