package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.judge.worker.WorkerSeen;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.WorkerResult;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Builds the entries of a result for each worker. Pure. */
public final class WorkerResults {

    private WorkerResults() {}

    /**
     * Returns an entry for each worker, in their order; none if this process is the only one.
     *
     * @param machines machines of the workers
     * @param seen evidence by which the workers are judged
     * @param total the measurement; null if there was none
     * @param beganNs start of each worker's latest load, by the coordinator's clock
     * @param lost workers that no longer answer
     */
    public static List<WorkerResult> of(
            List<WorkerMachine> machines,
            List<WorkerSeen> seen,
            @Nullable PeriodSnapshot total,
            Map<Integer, Long> beganNs,
            List<Worker.Lost> lost) {
        if (machines.size() < 2 && seen.stream().allMatch(worker -> worker.clock() == null)) {
            return List.of();
        }
        long firstNs = beganNs.isEmpty() ? 0 : Collections.min(beganNs.values());
        return IntStream.range(0, machines.size())
                .mapToObj(index -> {
                    WorkerSeen worker = seen.get(index);
                    Long ownNs = beganNs.get(index);
                    return new WorkerResult(
                            machines.get(index),
                            worker.producers(),
                            worker.consumers(),
                            total == null ? null : rates(total.shares().get(index)),
                            worker.usage(),
                            worker.clock(),
                            ownNs == null ? null : ownNs - firstNs,
                            worker.equipment().ceilingMsgPerSec(),
                            reason(index, lost));
                })
                .toList();
    }

    private static RunResult.Rates rates(PeriodSnapshot.Share share) {
        return new RunResult.Rates(share.sendRate(), share.publishRate(), share.consumeRate());
    }

    private static @Nullable String reason(int index, List<Worker.Lost> lost) {
        return lost.stream()
                .filter(each -> each.worker() == index)
                .map(Worker.Lost::reason)
                .findFirst()
                .orElse(null);
    }
}
