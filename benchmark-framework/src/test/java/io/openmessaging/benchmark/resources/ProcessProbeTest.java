package io.openmessaging.benchmark.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import oshi.SystemInfo;

@Timeout(60)
class ProcessProbeTest {

    private static final int HELD_BYTES = 256 << 20;
    private static final int WRITTEN_MB = 40;

    private final SystemInfo machine = new SystemInfo();

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private ProcessProbe probe(long pid) {
        return new ProcessProbe("node", Role.BROKER, pid, machine.getOperatingSystem());
    }

    /** The shell between is there on purpose: what a broker's child uses, the broker uses. */
    private Process startBusy() throws Exception {
        Process process = new ProcessBuilder(
                        "/bin/sh",
                        "-c",
                        "\"$@\"; exit 0",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xms400m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BusyProcess.class.getName(),
                        Integer.toString(HELD_BYTES),
                        folder.resolve("file").toString(),
                        Integer.toString(WRITTEN_MB))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        assertThat(out.readLine()).isEqualTo("busy");
        return process;
    }

    private static double cpuNs(EnumMap<Figure, Double> figures) {
        return figures.getOrDefault(Figure.CPU_CORE_PERCENT, 0.0);
    }

    @Test
    void aProcessIsReadTogetherWithItsChildren() throws Exception {
        Process busy = startBusy();
        try {
            ProcessProbe probe = probe(busy.pid());
            EnumMap<Figure, Double> before = probe.read();
            // The kernel's own count of what the machine gave it: on a busy one that is less than a whole processor.
            ProcessHandle child = busy.toHandle().children().findFirst().orElseThrow();
            Awaitility.await().atMost(30, TimeUnit.SECONDS).until(() -> cpuNs(probe.read()) - cpuNs(before) > 1e9);
            double kernelNs = child.info().totalCpuDuration().orElseThrow().toNanos();
            EnumMap<Figure, Double> after = probe.read();

            assertThat(cpuNs(after)).isCloseTo(kernelNs, within(0.03 * kernelNs + 2e7));
            assertThat(after.get(Figure.RESIDENT_BYTES))
                    .as("memory of the process, of which the array is most")
                    .isBetween((double) HELD_BYTES, HELD_BYTES + 150.0 * (1 << 20));
            assertThat(after.get(Figure.DISK_WRITTEN_BYTES_PER_SEC))
                    .isBetween((double) (WRITTEN_MB << 20), 1.05 * (WRITTEN_MB << 20));
            assertThat(after.get(Figure.THREADS)).isGreaterThan(5);
            assertThat(after.get(Figure.OPEN_FILES)).isGreaterThan(2);
            assertThat(Files.size(folder.resolve("file"))).isEqualTo((long) WRITTEN_MB << 20);
        } finally {
            busy.getOutputStream().close();
            assertThat(busy.waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aProcessThatHasEndedHasNoFigures() throws Exception {
        Process ended = new ProcessBuilder("/bin/true").start();
        assertThat(ended.waitFor(20, TimeUnit.SECONDS)).isTrue();

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

    @Test
    void theHostsProcessorsSpendAllTheirTimeSomewhere() {
        HostProbe probe = new HostProbe(machine.getHardware());
        SamplingMonitor monitor = SamplingMonitor.stepwise(List.of(probe), System::nanoTime);
        monitor.read();
        long startNs = System.nanoTime();
        Awaitility.await().atMost(10, TimeUnit.SECONDS).until(() -> System.nanoTime() - startNs > 2e9);
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
