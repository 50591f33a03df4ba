package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.StopSignal;
import java.util.List;
import java.util.stream.Stream;

/** Base class of tests of runs in virtual time. */
abstract class VirtualRun {

    final VirtualTime time = new VirtualTime();
    final ModelWorker worker = new ModelWorker(time);
    final StopSignal stop = new StopSignal();
    final RecordingRunListener recorded = new RecordingRunListener();
    private final List<String> workload;

    /** Sets the lines of every workload, which a test may replace. */
    VirtualRun(String... workload) {
        this.workload = List.of(workload);
    }

    final RunResult run(String... lines) {
        return run(Requests.request(
                Stream.concat(workload.stream(), Stream.of(lines)).toArray(String[]::new)));
    }

    final RunResult run(RunRequest request) {
        return Requests.run(request, worker, stop, recorded, time);
    }

    static List<String> kinds(RunResult result) {
        return result.findings().stream().map(Finding::kind).toList();
    }

    /** The first phase with this name. */
    static RunResult.Phase phase(RunResult result, String name) {
        return result.phases().stream()
                .filter(phase -> phase.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
