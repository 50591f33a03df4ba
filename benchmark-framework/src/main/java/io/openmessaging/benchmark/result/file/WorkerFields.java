package io.openmessaging.benchmark.result.file;

import io.openmessaging.benchmark.clock.Chrony;
import io.openmessaging.benchmark.clock.ClockBreak;
import io.openmessaging.benchmark.clock.ClockReport;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.ClockBound;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.WorkerResult;
import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The fields of the result file that only a run with separate workers has: the workers and their clocks. */
final class WorkerFields {

    private WorkerFields() {}

    /** Adds how well the workers' times compare, and the latencies that do not depend on it. */
    static void addClocks(Fields root, RunResult result, @Nullable PeriodSnapshot measured) {
        if (!result.workers().isEmpty()) {
            root.add("clocks", result.clocks(), bound -> clocks(bound, measured));
        }
    }

    private static Fields clocks(ClockBound bound, @Nullable PeriodSnapshot measured) {
        return new Fields()
                .add("boundNs", bound.isKnown() ? bound.apartNs() : null)
                .add("endToEndBetweenWorkers", bound.isEndToEndGiven())
                .add("impossibleSamples", measured, seen -> seen.counts().impossible())
                .add("control", measured, WorkerFields::control);
    }

    private static Fields control(PeriodSnapshot measured) {
        Fields control = new Fields();
        for (Latency latency : Latency.values()) {
            if (latency.isEndToEnd()) {
                control.add(latency.label(), ResultJson.latencyIfAny(measured.control(latency)));
            }
        }
        return control;
    }

    /** Adds an entry for each worker. */
    static void addWorkers(Fields root, RunResult result) {
        if (!result.workers().isEmpty()) {
            root.addEach("workers", result.workers(), WorkerFields::worker);
        }
    }

    private static Fields worker(WorkerResult worker) {
        WorkerMachine machine = worker.machine();
        return new Fields()
                .add("name", machine.name())
                .add("lost", worker.lost())
                .add("producers", worker.producers())
                .add("consumers", worker.consumers())
                .add("rates", worker.rates())
                .add("startedLaterNs", worker.startedLaterNs())
                .add("used", worker.usage(), ResultJson::usage)
                .add("ceiling", worker.ceilingMsgPerSec())
                .add("clock", worker.clock(), clock -> clock(clock, machine.chrony()))
                .add("host", machine.host().name())
                .add("os", machine.host().os())
                .add("processors", machine.processors())
                .add("memoryMiB", machine.host().memoryMiB())
                .add("jdk", machine.jvm().version())
                .addEach("jvmOptions", machine.jvm().options(), Secrets::mask)
                .add("maxHeapMiB", machine.jvm().maxHeapMiB());
    }

    private static Fields clock(ClockReport clock, @Nullable Chrony chrony) {
        ClockReport.Offsets offsets = clock.offsets();
        ClockReport.Probes probes = clock.probes();
        return new Fields()
                .add("aheadNs", offsets, of -> of.last().aheadNs())
                .add("boundNs", offsets, of -> of.last().boundNs())
                .add("largestBoundNs", offsets, ClockReport.Offsets::largestBoundNs)
                .add("medianBoundNs", offsets, ClockReport.Offsets::medianBoundNs)
                .add("driftPpm", offsets, ClockReport.Offsets::driftPpm)
                .add("driftBoundPpm", offsets, ClockReport.Offsets::driftBoundPpm)
                .add("probes", probes.sent())
                .add("answered", new TreeMap<>(probes.answered()))
                .add("minRoundTripNs", probes.minRoundTripNs())
                .add("medianRoundTripNs", probes.medianRoundTripNs())
                .addEach("breaks", clock.breaks(), WorkerFields::moved)
                .add("chrony", chrony);
    }

    private static Fields moved(ClockBreak each) {
        return ResultJson.addSpan(new Fields(), each.sinceNs(), each.untilNs()).add("movedNs", each.movedNs());
    }
}
