package io.openmessaging.benchmark.worker.group;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.LoadSpan;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A worker without a system: it answers as the test has set and records the requests. */
final class ScriptedWorker implements Worker {

    /** A fault during a request, before its answer. */
    @FunctionalInterface
    interface Fault {
        void strike() throws DriverException, InterruptedException;
    }

    /** Clock offsets that the worker received. */
    record Clocks(List<Offset> ofWorkers) {}

    /** Number of messages that the worker confirms in each period. */
    static final long MESSAGES = 100;

    private final int index;
    private final long aheadNs;
    private final Map<String, Fault> faults = new ConcurrentHashMap<>();
    private final List<Object> requests = new CopyOnWriteArrayList<>();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile @Nullable Failure failure;
    private volatile Map<String, Long> errors = Map.of("send: TimeoutException", 1L);
    private int periods;
    private volatile long inFlight;

    /**
     * Creates a worker whose clock is {@code aheadNs} ahead of the test's.
     *
     * @param index number of the worker, from 0
     */
    ScriptedWorker(int index, long aheadNs) {
        this.index = index;
        this.aheadNs = aheadNs;
    }

    /** Injects a fault into a request from now on. */
    void on(String request, Fault fault) {
        faults.put(request, fault);
    }

    /** Reports a failure from now on; {@code atNs} is its time by the test's clock. */
    void fail(long atNs, String reason) {
        failure = new Failure(atNs + aheadNs, reason);
    }

    /** Reports these errors from now on. */
    void errors(Map<String, Long> byKind) {
        errors = byKind;
    }

    /** Returns the names of all requests, in order. */
    List<String> calls() {
        return calls;
    }

    /** Returns the requests of one type. */
    <T> List<T> requests(Class<T> kind) {
        return requests.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private void called(String name, Object request) throws DriverException, InterruptedException {
        calls.add(name);
        requests.add(request);
        Fault fault = faults.get(name);
        if (fault != null) {
            fault.strike();
        }
    }

    @Override
    public Prepared prepare(Prepare request) throws DriverException, InterruptedException {
        called("prepare", request);
        return new Prepared(
                List.of(WorkerMachine.here(index)), List.of(request.run().placement()));
    }

    /**
     * Reports the path with its own number as open. The first worker has sent two copies; each other one has received
     * one from another worker.
     */
    @Override
    public Probed probe(Probe request) throws DriverException, InterruptedException {
        called("probe", request);
        BitSet arrived = new BitSet();
        arrived.set(index);
        return new Probed(arrived, index == 0 ? 2 : -1, index == 1 ? "no leader" : null);
    }

    @Override
    public long start(Start request) throws DriverException, InterruptedException {
        called("start", request);
        return request.atNs();
    }

    @Override
    public void change(Change request) throws DriverException, InterruptedException {
        called("change", request);
    }

    @Override
    public void consume(boolean delivered) throws DriverException, InterruptedException {
        called("consume", delivered);
    }

    private Totals totals() {
        long messages = periods * MESSAGES;
        return new Totals(messages + inFlight, messages, 0, List.of(messages), 0);
    }

    /** Reports this many messages as sent and not answered, from now on. */
    void holdInFlight(long messages) {
        inFlight = messages;
    }

    /** Reports a load that started at 1,000 ns, plus 1 ns times the index, and took a second. */
    @Override
    public Status status(List<Offset> clocks) throws DriverException, InterruptedException {
        if (!clocks.isEmpty()) {
            called("clocks", new Clocks(clocks));
        }
        called("status", "status");
        LoadSpan span = new LoadSpan(
                Optional.of(1_000L + index),
                Optional.of(1_000_001_000L + index),
                Optional.empty(),
                Optional.empty(),
                Optional.of(1_000_002_000L + index));
        return new Status(
                totals(),
                new LatestLoad(false, span.movedBy(aheadNs), Map.of(index, 1_000 + index + aheadNs)),
                errors,
                List.of(new HarnessUsage(10, 20 + index, 0, 0, 4)),
                List.of(),
                failure);
    }

    /**
     * Reports a period from one second to the next, later by the index in ms. Its messages take 1 ms more than that.
     */
    @Override
    public Period period(int number) throws DriverException, InterruptedException {
        called("period", number);
        periods = number;
        Totals counts = new Totals(MESSAGES, MESSAGES, 0, List.of(MESSAGES), 0);
        long endNs = number * 1_000_000_000L + index * 1_000_000L + aheadNs;
        PeriodSnapshot seen = new PeriodSnapshot(
                endNs - 1_000_000_000L,
                endNs,
                counts,
                totals(),
                Map.of(Latency.PUBLISH, LatencySnapshot.of((index + 1) * 1_000_000L, MESSAGES)));
        return new Period(number, seen, List.of(LatencySnapshot.of(7, 1)), ResourcePeriod.NONE);
    }

    @Override
    public Marks stop(Stop request) throws DriverException, InterruptedException {
        called("stop", request);
        return new Marks(request.searchEnds() ? Map.of(index, 10L * index) : Map.of());
    }

    @Override
    public void endSearch(Marks marks) throws DriverException, InterruptedException {
        called("endSearch", marks);
    }

    @Override
    public AuditPart finish() throws DriverException, InterruptedException {
        called("finish", "finish");
        return new AuditPart(
                List.of(), List.of(new AuditPart.ArrivalCounts("topic", 0, Map.of(), MESSAGES * index, 0, 0, 0)));
    }

    @Override
    public void close() throws DriverException {
        try {
            called("close", "close");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
