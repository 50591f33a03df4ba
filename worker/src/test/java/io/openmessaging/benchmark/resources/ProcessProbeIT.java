package io.openmessaging.benchmark.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.timing.Timing;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import oshi.SystemInfo;

@Isolated
class ProcessProbeIT {

    private static final int HELD_BYTES = 256 << 20;
    private static final int WRITTEN_MB = 40;

    /** The kernel counts processor time of a process in hundredths of a second. */
    private static final double KERNEL_STEP_NS = 2e7;

    private final SystemInfo machine = new SystemInfo();

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private ProcessProbe probe(long pid) {
        return new ProcessProbe("node", Role.BROKER, () -> pid, machine.getOperatingSystem());
    }

    private static double figure(EnumMap<Figure, Double> figures, Figure figure) {
        return figures.getOrDefault(figure, 0.0);
    }

    private static ChildJvm child() throws IOException {
        return ChildJvm.start("-XX:+UseSerialGC", "-Xms400m", "-Xmx400m");
    }

    @Test
    void memoryIsWhatAProcessHolds() throws Exception {
        try (ChildJvm child = child()) {
            assertThat(child.ask("collect 1 1")).startsWith("collected");
            ProcessProbe probe = probe(child.pid());
            double before = figure(probe.read(), Figure.RESIDENT_BYTES);
            assertThat(child.ask("hold " + HELD_BYTES)).isEqualTo("held");
            double after = figure(probe.read(), Figure.RESIDENT_BYTES);

            assertThat(after - before).isCloseTo(HELD_BYTES, withinPercentage(5));
        }
    }

    /** Redis writes its data to disk like this, with a copy of itself that shares its memory and uses a processor. */
    @Test
    void aCopyOfAProcessIsFoundAtOnceAndItsMemoryNotCountedTwice() throws Exception {
        String held = "x=$(head -c 67108864 /dev/zero | tr '\\0' a); echo held; read go; ";
        // Both end with the input, which is closed before anything else here. The copy takes no memory of its own:
        // only a shell that looks at the variable copies it.
        String forks = "(while :; do :; done) & echo forked; read end; kill $!";
        Process shell = new ProcessBuilder("/bin/sh", "-c", held + forks).start();
        try (BufferedReader out = shell.inputReader();
                BufferedWriter in = shell.outputWriter()) {
            assertThat(out.readLine()).isEqualTo("held");
            ProcessProbe probe = probe(shell.pid());
            EnumMap<Figure, Double> before = probe.read();
            in.write("go\n");
            in.flush();
            assertThat(out.readLine()).isEqualTo("forked");
            EnumMap<Figure, Double> after = probe.read();

            assertThat(figure(before, Figure.THREADS)).isEqualTo(1);
            assertThat(figure(after, Figure.THREADS)).isEqualTo(2);
            assertThat(figure(before, Figure.RESIDENT_BYTES)).isGreaterThan(67108864);
            assertThat(figure(after, Figure.RESIDENT_BYTES)).isLessThan(1.5 * figure(before, Figure.RESIDENT_BYTES));
        } finally {
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly();
        }
    }

    /** Usage from before a process belonged to the node does not count as usage since the last reading. */
    @Test
    void whatWasUsedBeforeAProcessBelongedHereDoesNotCount() throws Exception {
        try (ChildJvm first = child();
                ChildJvm second = child()) {
            assertThat(second.ask("burn")).isEqualTo("burning");
            awaitBurnt(second, 2e9);
            AtomicLong pid = new AtomicLong(first.pid());
            ProcessProbe probe = new ProcessProbe("node", Role.BROKER, pid::get, machine.getOperatingSystem());
            double before = figure(probe.read(), Figure.CPU_CORE_PERCENT);
            pid.set(second.pid());
            double burntNs = burntNs(second);
            double after = figure(probe.read(), Figure.CPU_CORE_PERCENT);
            double sinceNs = burntNs(second) - burntNs;
            assertThat(after - before).isLessThan(1e9 + 2 * sinceNs);
        }
    }

    @Test
    void aNodeThatIsStartedAgainInAnotherProcessIsFollowed() throws Exception {
        AtomicLong pid = new AtomicLong();
        ProcessProbe probe = new ProcessProbe("node", Role.BROKER, pid::get, machine.getOperatingSystem());
        try (ChildJvm first = child()) {
            pid.set(first.pid());
            assertThat(probe.read()).containsKey(Figure.RESIDENT_BYTES);
        }
        Patience.until("the end of the first", () -> probe.read().isEmpty());
        try (ChildJvm second = child()) {
            pid.set(second.pid());
            assertThat(probe.read()).containsKey(Figure.RESIDENT_BYTES);
        }
    }

    /** A local broker is a child of the harness but has its own entry. */
    @Test
    void theHarnessIsReadWithoutItsChildren() throws Exception {
        long pid = ProcessHandle.current().pid();
        try (ChildJvm child = child();
                HarnessProbe harness = new HarnessProbe(machine.getOperatingSystem(), thread -> false)) {
            assertThat(child.ask("hold " + HELD_BYTES)).isEqualTo("held");

            double aloneBefore = figure(harness.read(), Figure.RESIDENT_BYTES);
            double together = figure(probe(pid).read(), Figure.RESIDENT_BYTES);
            double aloneAfter = figure(harness.read(), Figure.RESIDENT_BYTES);
            double ofChild = figure(probe(child.pid()).read(), Figure.RESIDENT_BYTES);

            assertThat(ofChild).isGreaterThan(HELD_BYTES);
            // A collection may return memory of this JVM at any time.
            assertThat(together - Math.min(aloneBefore, aloneAfter)).isGreaterThan(0.9 * ofChild);
        }
    }

    @Test
    void diskBytesAreTheSizeOfTheFileThatWasWritten() throws Exception {
        Path file = folder.resolve("file");
        try (ChildJvm child = child()) {
            ProcessProbe probe = probe(child.pid());
            double before = figure(probe.read(), Figure.DISK_WRITTEN_BYTES_PER_SEC);
            assertThat(child.ask("write " + file + " " + WRITTEN_MB)).isEqualTo("written");
            // For readings in quick succession, the library may return the first one again.
            Patience.until(
                    "a reading from after the file was written",
                    () -> figure(probe.read(), Figure.DISK_WRITTEN_BYTES_PER_SEC) - before > Files.size(file) / 2.0);
            EnumMap<Figure, Double> after = probe.read();

            assertThat(Files.size(file)).isEqualTo((long) WRITTEN_MB << 20);
            assertThat(figure(after, Figure.DISK_WRITTEN_BYTES_PER_SEC) - before)
                    .isCloseTo(Files.size(file), withinPercentage(3));
            assertThat(figure(after, Figure.THREADS)).isGreaterThan(5);
            assertThat(figure(after, Figure.OPEN_FILES)).isGreaterThan(2);
        }
    }

    /**
     * Compares with the thread's own clock of processor time, since a process that wants a whole processor gets less
     * on a busy machine. The clock is read before and after each reading, because other processes may run between the
     * two.
     */
    @Timing(toleranceMs = 60)
    @Test
    void processorTimeIsWhatAProcessBurns() throws Exception {
        try (ChildJvm child = child()) {
            assertThat(child.ask("burn")).isEqualTo("burning");
            // By then, the JIT compiler has done its work.
            awaitBurnt(child, 0.5e9);
            SamplingMonitor monitor = SamplingMonitor.stepwise(List.of(probe(child.pid())), 4, System::nanoTime);
            double beforeBegin = burntNs(child);
            monitor.read();
            double afterBegin = burntNs(child);
            awaitBurnt(child, afterBegin + 2e9);
            double beforeEnd = burntNs(child);
            ResourceUse use = monitor.sample().uses().get(0);
            double afterEnd = burntNs(child);

            FigureUse cpu = use.figure(Figure.CPU_CORE_PERCENT).orElseThrow();
            assertThat(cpu.mean() / 100 * cpu.seconds() * 1e9)
                    .isBetween(
                            0.97 * (beforeEnd - afterBegin) - KERNEL_STEP_NS,
                            1.03 * (afterEnd - beforeBegin) + KERNEL_STEP_NS);
        }
    }

    private static double burntNs(ChildJvm child) throws IOException {
        return Double.parseDouble(child.ask("burnt"));
    }

    private static void awaitBurnt(ChildJvm child, double ns) {
        Patience.until("processor time of the child", () -> burntNs(child) > ns);
    }

    @Test
    void aProcessThatHasEndedHasNoFigures() throws Exception {
        Process ended = new ProcessBuilder("/bin/true").start();
        assertThat(Patience.exitCode("true", ended)).isZero();

        assertThat(probe(ended.pid()).read()).isEmpty();
    }

    @Test
    void theHarnessReadsItsOwnCollectionsAndAllocations() {
        try (HarnessProbe probe = new HarnessProbe(machine.getOperatingSystem(), "producer-0"::equals)) {
            EnumMap<Figure, Double> before = probe.read();
            List<byte[]> garbage = new java.util.ArrayList<>();
            for (int i = 0; i < 64; i++) {
                garbage.add(new byte[1 << 20]);
            }
            garbage.clear();
            System.gc();
            EnumMap<Figure, Double> after = probe.read();

            assertThat(growth(before, after, Figure.ALLOCATED_BYTES_PER_SEC)).isGreaterThanOrEqualTo(64 << 20);
            assertThat(growth(before, after, Figure.COLLECTIONS_PER_SEC)).isGreaterThanOrEqualTo(1);
            assertThat(after.get(Figure.HEAP_USED_BYTES)).isPositive();
            assertThat(after.get(Figure.LOAD_THREADS_CORE_PERCENT)).isZero();
        }
    }

    private static double growth(EnumMap<Figure, Double> before, EnumMap<Figure, Double> after, Figure figure) {
        return after.getOrDefault(figure, 0.0) - before.getOrDefault(figure, 0.0);
    }

    @Timing(toleranceMs = 500)
    @Test
    void theHostsProcessorsSpendAllTheirTimeSomewhere() {
        HostProbe probe = new HostProbe(machine.getHardware());
        SamplingMonitor monitor = SamplingMonitor.stepwise(List.of(probe), 4, System::nanoTime);
        monitor.read();
        long startNs = System.nanoTime();
        Patience.until("two seconds to pass", () -> System.nanoTime() - startNs > 2e9);
        ResourceUse host = monitor.sample().uses().get(0);

        double all = 0;
        for (Figure figure : List.of(
                Figure.HOST_USER_PERCENT,
                Figure.HOST_SYSTEM_PERCENT,
                Figure.HOST_IO_WAIT_PERCENT,
                Figure.HOST_STEAL_PERCENT,
                Figure.HOST_IDLE_PERCENT)) {
            all += host.figure(figure).orElseThrow().mean();
        }
        assertThat(all).isCloseTo(100, within(25.0));
        assertThat(host.figure(Figure.MEMORY_USED_PERCENT).orElseThrow().mean()).isBetween(0.1, 100.0);
    }
}
