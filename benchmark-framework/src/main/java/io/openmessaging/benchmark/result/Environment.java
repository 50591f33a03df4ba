package io.openmessaging.benchmark.result;

import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The program, machine and JVM of a run.
 *
 * @param benchmarkVersion version of this program, and the commit that it was built from
 * @param host name of the machine
 * @param os name, version and architecture
 * @param cpu model of the processors; empty if unknown
 * @param processors number of processors that the harness may use
 * @param memoryMiB memory of the machine
 * @param jdk vendor and version
 * @param jvmOptions JVM options of the harness
 * @param maxHeapMiB maximum heap of the harness
 * @param clock source of the time stamps
 */
public record Environment(
        String benchmarkVersion,
        String host,
        String os,
        String cpu,
        int processors,
        long memoryMiB,
        String jdk,
        List<String> jvmOptions,
        long maxHeapMiB,
        String clock) {

    private static final Path CPUS = Path.of("/proc/cpuinfo");
    private static final Pattern MODEL = Pattern.compile("model name\\s*: (.*)");

    /** Files of earlier versions have no model. */
    public Environment {
        cpu = Objects.requireNonNullElse(cpu, "");
    }

    /** Returns a copy for workers that each have their own clock. */
    public Environment ofSeveralClocks() {
        return new Environment(
                benchmarkVersion,
                host,
                os,
                cpu,
                processors,
                memoryMiB,
                jdk,
                jvmOptions,
                maxHeapMiB,
                clock + "; each worker has its own clock, and probes bound its offset from this one");
    }

    /** Returns the environment of this process. */
    public static Environment here(String benchmarkVersion, String clock) {
        WorkerMachine machine = WorkerMachine.here(0);
        return new Environment(
                benchmarkVersion,
                machine.host().name(),
                machine.host().os(),
                cpuModel(),
                machine.processors(),
                machine.host().memoryMiB(),
                machine.jvm().version(),
                machine.jvm().options(),
                machine.jvm().maxHeapMiB(),
                clock);
    }

    /** Returns the model of the first processor; empty where the system does not name it. */
    private static String cpuModel() {
        try (Stream<String> lines = Files.lines(CPUS)) {
            return lines.map(MODEL::matcher)
                    .filter(Matcher::matches)
                    .map(model -> model.group(1).strip())
                    .findFirst()
                    .orElse("");
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }
}
