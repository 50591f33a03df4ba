package io.openmessaging.benchmark.cli.doctor;

import io.openmessaging.benchmark.resources.KernelLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks of what Linux reports in {@code /proc} and {@code /sys}; on other systems most of it is unknown. */
public final class MachineChecks {

    /**
     * Clocks that use the processor's own counter, directly or through a hypervisor: a reading takes tens of
     * nanoseconds.
     */
    private static final Set<String> GOOD_CLOCKS =
            Set.of("tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter");

    /** The threshold at which {@code bin/benchmark} adds the finding {@code ProcessorsStolen} to a result. */
    private static final double STOLEN_PERCENT = 1;

    /** Other work that takes more than this share of the processors affects latencies. */
    private static final double BUSY_PERCENT = 10;

    /** A Kafka client holds some four descriptors: enough for a thousand producers and consumers. */
    private static final long LEAST_DESCRIPTORS = 8192;

    private static final long LEAST_MEMORY_KIB = 4L << 20;
    private static final double KIB_PER_GIB = 1 << 20;
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private final Path root;

    /**
     * Creates the checks of a machine.
     *
     * @param root the folder that contains {@code proc} and {@code sys}: {@code /}, except in tests
     */
    public MachineChecks(Path root) {
        this.root = root;
    }

    /** Checks the clock that measures all latencies. */
    Check clock() {
        String source = read("sys/devices/system/clocksource/clocksource0/current_clocksource");
        if (source.isEmpty()) {
            return Check.note("clock", "its source cannot be determined");
        }
        return GOOD_CLOCKS.contains(source)
                ? Check.ok("clock", "source " + source)
                : Check.warning(
                        "clock",
                        "source " + source + " takes a system call for each reading, which lowers"
                                + " the rate and adds to latencies: boot with clocksource=tsc if the machine has it");
    }

    /** Checks whether processors run at their full speed. */
    Check governor() {
        Set<String> governors = new TreeSet<>();
        try (Stream<Path> processors = Files.list(root.resolve("sys/devices/system/cpu"))) {
            processors
                    .map(processor -> read(processor.resolve("cpufreq/scaling_governor")))
                    .filter(governor -> !governor.isEmpty())
                    .forEach(governors::add);
        } catch (IOException e) {
            return Check.note("frequency", "the processors' frequency cannot be determined");
        }
        if (governors.isEmpty()) {
            return Check.ok("frequency", "not governed by this system");
        }
        String names = String.join(", ", governors);
        return governors.equals(Set.of("performance"))
                ? Check.ok("frequency", "governor performance")
                : Check.warning(
                        "frequency",
                        "governor " + names + ": processors change their speed while you measure;"
                                + " 'cpupower frequency-set -g performance' keeps them at full speed");
    }

    /** Returns the times of all processors so far, in ticks: user, nice, system, idle, wait, irq, softirq, steal. */
    long[] ticks() {
        return read("proc/stat")
                .lines()
                .filter(line -> line.startsWith("cpu "))
                .findFirst()
                .map(line -> Arrays.stream(line.substring(4).strip().split(" +"))
                        .limit(8)
                        .mapToLong(Long::parseLong)
                        .toArray())
                .orElse(new long[0]);
    }

    /** Checks whether the processors were this machine's own, and free, between two readings of {@link #ticks}. */
    List<Check> processors(long[] before, long[] after) {
        if (before.length < 8 || after.length < 8) {
            return List.of(Check.note("processors", "their load cannot be determined"));
        }
        double total =
                Math.max(1, Arrays.stream(after).sum() - Arrays.stream(before).sum());
        double stolen = 100 * (after[7] - before[7]) / total;
        double busy = 100 * (total - (after[3] - before[3]) - (after[4] - before[4])) / total - stolen;
        List<Check> checks = new ArrayList<>();
        checks.add(
                busy > BUSY_PERCENT
                        ? Check.warning(
                                "load",
                                percent(busy) + " of the processors are busy with other programs: stop them, or"
                                        + " read latencies with care")
                        : Check.ok("load", percent(busy) + " of the processors are busy"));
        checks.add(
                stolen > STOLEN_PERCENT
                        ? Check.warning(
                                "steal",
                                "other virtual machines take " + percent(stolen) + " of the processors' time:"
                                        + " use a dedicated machine for figures that you publish")
                        : Check.ok("steal", percent(stolen) + " taken by other virtual machines"));
        return checks;
    }

    private static String percent(double value) {
        return String.format(Locale.ROOT, "%.1f %%", Math.max(0, value));
    }

    List<Check> memory() {
        String info = read("proc/meminfo");
        OptionalLong total = kib(info, "MemTotal");
        OptionalLong available = kib(info, "MemAvailable");
        if (total.isEmpty() || available.isEmpty()) {
            return List.of(Check.note("memory", "its size cannot be determined"));
        }
        String text = String.format(
                Locale.ROOT,
                "%.1f of %.1f GiB available",
                available.getAsLong() / KIB_PER_GIB,
                total.getAsLong() / KIB_PER_GIB);
        long swapped = kib(info, "SwapTotal").orElse(0) - kib(info, "SwapFree").orElse(0);
        return List.of(
                available.getAsLong() < LEAST_MEMORY_KIB
                        ? Check.warning("memory", text + ": a broker with its clients needs 4 GiB")
                        : Check.ok("memory", text),
                swapped > 0
                        ? Check.warning(
                                "swap",
                                String.format(
                                        Locale.ROOT,
                                        "%.1f GiB are swapped out: brokers and clients"
                                                + " will pause for the disk; 'swapoff -a' brings it back into memory",
                                        swapped / KIB_PER_GIB))
                        : Check.ok("swap", "not in use"));
    }

    private static OptionalLong kib(String info, String name) {
        return info.lines()
                .filter(line -> line.startsWith(name + ":"))
                .flatMap(line -> NUMBER.matcher(line).results().map(found -> found.group()))
                .mapToLong(Long::parseLong)
                .findFirst();
    }

    /** Checks how many files and threads this user may have. */
    List<Check> limits() {
        return List.of(
                limit("open files", KernelLimits.own(root, KernelLimits.FILES), "ulimit -n 65536"),
                limit("processes", KernelLimits.own(root, KernelLimits.PROCESSES), "ulimit -u 65536"));
    }

    private static Check limit(String subject, OptionalLong known, String remedy) {
        if (known.isEmpty()) {
            return Check.note(subject, "their limit cannot be determined");
        }
        long most = known.getAsLong();
        return most < LEAST_DESCRIPTORS
                ? Check.warning(
                        subject, "at most " + most + ": runs with thousands of clients need more ('" + remedy + "')")
                : Check.ok(subject, most == Long.MAX_VALUE ? "no limit" : "at most " + most);
    }

    private String read(String path) {
        return read(root.resolve(path));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
