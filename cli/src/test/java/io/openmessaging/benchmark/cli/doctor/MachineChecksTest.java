package io.openmessaging.benchmark.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.cli.doctor.Check.CheckState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineChecksTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path root;

    private MachineChecks machine() {
        return new MachineChecks(root);
    }

    private void file(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.resolveSibling(""));
        Files.writeString(file, text);
    }

    private static List<CheckState> states(List<Check> checks) {
        return checks.stream().map(Check::state).toList();
    }

    @Test
    void aSlowClockIsWarnedOf() throws IOException {
        file("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
        assertThat(machine().clock().state()).isEqualTo(CheckState.OK);
        file("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
        assertThat(machine().clock())
                .satisfies(check -> assertThat(check.state()).isEqualTo(CheckState.WARNING))
                .satisfies(check -> assertThat(check.text()).startsWith("source hpet "));
    }

    @Test
    void aGovernorThatSavesPowerIsWarnedOf() throws IOException {
        file("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
        file("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n");
        assertThat(machine().governor().state()).isEqualTo(CheckState.OK);
        file("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
        assertThat(machine().governor().state()).isEqualTo(CheckState.WARNING);
        assertThat(machine().governor().text()).startsWith("governor performance, powersave: ");
    }

    @Test
    void ungovernedProcessorsAreFine() throws IOException {
        file("sys/devices/system/cpu/cpu0/online", "1\n");
        assertThat(machine().governor().state()).isEqualTo(CheckState.OK);
    }

    @Test
    void processorsThatAreBusyOrStolenAreWarnedOf() throws IOException {
        file("proc/stat", "cpu  100 0 50 800 20 0 0 5 0 0\ncpu0 1 2 3\n");
        long[] before = machine().ticks();
        assertThat(before).containsExactly(100, 0, 50, 800, 20, 0, 0, 5);
        assertThat(states(machine().processors(before, new long[] {105, 0, 50, 890, 25, 0, 0, 5})))
                .containsExactly(CheckState.OK, CheckState.OK);
        List<Check> busy = machine().processors(before, new long[] {130, 0, 60, 855, 20, 0, 0, 10});
        assertThat(busy)
                .extracting(Check::text)
                .satisfiesExactly(
                        load -> assertThat(load).startsWith("40.0 % of the processors are busy with other programs"),
                        steal -> assertThat(steal).startsWith("other virtual machines take 5.0 %"));
    }

    @Test
    void swappedMemoryIsWarnedOf() throws IOException {
        file(
                "proc/meminfo",
                "MemTotal:  25165824 kB\nMemAvailable: 20971520 kB\nSwapTotal: 2097152 kB\nSwapFree: 2097152 kB\n");
        assertThat(states(machine().memory())).containsExactly(CheckState.OK, CheckState.OK);
        assertThat(machine().memory().get(0).text()).isEqualTo("20.0 of 24.0 GiB available");
        file(
                "proc/meminfo",
                "MemTotal:  4194304 kB\nMemAvailable: 1048576 kB\nSwapTotal: 2097152 kB\nSwapFree: 1048576 kB\n");
        assertThat(states(machine().memory())).containsExactly(CheckState.WARNING, CheckState.WARNING);
        assertThat(machine().memory().get(1).text()).startsWith("1.0 GiB are swapped out");
    }

    @Test
    void lowLimitsAreWarnedOf() throws IOException {
        file(
                "proc/self/limits",
                "Limit                     Soft Limit           Hard Limit           Units     \n"
                        + "Max processes             unlimited            unlimited            processes \n"
                        + "Max open files            1024                 524288               files     \n");
        List<Check> limits = machine().limits();
        assertThat(states(limits)).containsExactly(CheckState.WARNING, CheckState.OK);
        assertThat(limits)
                .extracting(Check::text)
                .satisfiesExactly(
                        files -> assertThat(files).contains("at most 1024", "ulimit -n"),
                        processes -> assertThat(processes).isEqualTo("no limit"));
    }

    @Test
    void whatASystemDoesNotTellIsNoWarning() {
        assertThat(machine().clock().state()).isEqualTo(CheckState.NOTE);
        assertThat(machine().governor().state()).isEqualTo(CheckState.NOTE);
        assertThat(states(machine().memory())).containsExactly(CheckState.NOTE);
        assertThat(states(machine().limits())).containsExactly(CheckState.NOTE, CheckState.NOTE);
        assertThat(states(machine().processors(machine().ticks(), machine().ticks())))
                .containsExactly(CheckState.NOTE);
    }
}
