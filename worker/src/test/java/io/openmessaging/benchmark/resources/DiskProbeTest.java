package io.openmessaging.benchmark.resources;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiskProbeTest {

    private static final long GIB = 1L << 30;

    /** The limit is the smaller of 1 GiB and 5 % of the disk. */
    @ParameterizedTest
    @CsvSource({"100, 1.00, false", "100, 0.99, true", "10, 0.51, false", "10, 0.49, true"})
    void aDiskIsNearlyFullWhenLessIsLeftThanItShould(double totalGib, double freeGib, boolean nearlyFull) {
        FakeFileStore store = new FakeFileStore((long) (totalGib * GIB));
        DiskProbe probe = new DiskProbe(Path.of("/data"), store);
        probe.read();
        assertThat(probe.nearlyFull()).isEmpty();

        store.leave((long) (freeGib * GIB));
        assertThat(probe.read()).containsEntry(Figure.DISK_FREE_BYTES, (double) (long) (freeGib * GIB));
        assertThat(probe.nearlyFull().isPresent()).isEqualTo(nearlyFull);
    }

    @Test
    void whatWasOnceSeenStaysSeen() {
        FakeFileStore store = new FakeFileStore(100 * GIB);
        DiskProbe probe = new DiskProbe(Path.of("/data"), store);
        store.leave(GIB / 2);
        probe.read();
        store.leave(50 * GIB);
        probe.read();
        assertThat(probe.nearlyFull()).contains(new DiskSpace("/data", GIB / 2, GIB));
    }

    @Test
    void aDiskThatDoesNotAnswerIsNotFull() {
        FakeFileStore store = new FakeFileStore(100 * GIB);
        DiskProbe probe = new DiskProbe(Path.of("/data"), store);
        store.breakDown();
        assertThat(probe.read()).isEmpty();
        assertThat(probe.nearlyFull()).isEmpty();
    }

    @Test
    void theMonitorLooksWithEachReading() {
        FakeFileStore store = new FakeFileStore(100 * GIB);
        SamplingMonitor monitor =
                SamplingMonitor.stepwise(List.of(new DiskProbe(Path.of("/data"), store)), 4, System::nanoTime);
        monitor.read();
        assertThat(monitor.diskNearlyFull()).isEmpty();
        store.leave(0);
        monitor.read();
        assertThat(monitor.diskNearlyFull()).contains(new DiskSpace("/data", 0, GIB));
        monitor.close();
    }
}
