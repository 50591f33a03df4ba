package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.measure.CompressedLatencies;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.worker.protocol.Placement;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.WorkerHost;
import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;

/** A worker that reports its work as that of two workers: the first sends, both receive half of the messages each. */
final class TwoWorkers {

    private static final long CONTROL_NS = 5_000_000;

    private TwoWorkers() {}

    /**
     * Makes a worker report as two.
     *
     * @param beganNs times at which the two started the latest load
     */
    static Worker of(Worker one, List<Long> beganNs) {
        return (Worker) Proxy.newProxyInstance(
                Worker.class.getClassLoader(), new Class<?>[] {Worker.class}, (p, method, args) -> {
                    try {
                        return asTwo(method.invoke(one, args), beganNs);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Object asTwo(Object answer, List<Long> beganNs) {
        if (answer instanceof Worker.Prepared) {
            return new Worker.Prepared(
                    List.of(machine(1, 2), machine(2, 4)),
                    List.of(new Placement(0, 2, 1, 0, 2), new Placement(1, 2, 1, 0, 2)));
        }
        if (answer instanceof Worker.Period period) {
            return new Worker.Period(period.number(), asTwo(period.seen()), period.unsent(), period.used());
        }
        return answer instanceof Worker.Status status ? asTwo(status, beganNs) : answer;
    }

    private static WorkerMachine machine(int number, int processors) {
        String host = "w" + number;
        return new WorkerMachine(
                "worker " + number + " (" + host + ")",
                new WorkerHost(host, host, List.of(), "os", 0),
                new WorkerMachine.Jvm("jdk", List.of(), 0),
                processors,
                null,
                null);
    }

    private static Worker.Status asTwo(Worker.Status status, List<Long> beganNs) {
        HarnessUsage usage = status.usage().get(0);
        return new Worker.Status(
                status.totals(),
                new Worker.LatestLoad(
                        status.load().finished(), status.load().span(), Map.of(0, beganNs.get(0), 1, beganNs.get(1))),
                status.errors(),
                List.of(usage, new HarnessUsage(usage.atNs(), 0, 0, 0, 4)),
                status.lost(),
                status.failure());
    }

    private static PeriodSnapshot asTwo(PeriodSnapshot seen) {
        Totals counts = seen.counts();
        List<Long> half = counts.received().stream().map(count -> count / 2).toList();
        List<Long> rest =
                counts.received().stream().map(count -> count - count / 2).toList();
        Totals ofFirst = new Totals(counts.sent(), counts.acknowledged(), counts.failed(), half, counts.unknown());
        Totals ofSecond = new Totals(0, 0, 0, rest, 0);
        long stayed = seen.latency(Latency.END_TO_END).count() / 2;
        return new PeriodSnapshot(
                List.of(
                        new PeriodSnapshot.Share(
                                seen.startNs(), seen.endNs(), ofFirst, CompressedLatencies.of(seen.stalls()), 0),
                        new PeriodSnapshot.Share(seen.startNs(), seen.endNs(), ofSecond)),
                seen.totals(),
                seen.latencies(),
                Map.of(Latency.END_TO_END, LatencySnapshot.of(CONTROL_NS, stayed)));
    }
}
