package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.config.Fault;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.result.FaultOutcome.Event;
import io.openmessaging.benchmark.run.FaultMeans;
import io.openmessaging.benchmark.run.FaultMeans.FaultException;
import io.openmessaging.benchmark.run.FaultState;
import io.openmessaging.benchmark.worker.SystemControl;
import io.openmessaging.benchmark.worker.protocol.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the faults of a workload about while it is measured, on a thread of its own: {@code faults}. The run's thread begins
 * and ends it, and meanwhile does not use the coordinator's connection, by which this asks who leads.
 */
public final class FaultInjector {

    private static final Logger LOG = LoggerFactory.getLogger(FaultInjector.class);

    /** An order to end nodes, and to start them, ends within this. */
    private static final Duration END_LIMIT = Duration.ofMinutes(2);

    private static final long NS_PER_MS = 1_000_000;

    private final List<Fault> faults;
    private final FaultMeans means;
    private final SystemControl control;
    private final Topology topology;
    private final LongSupplier clock;
    private final Supplier<Map<String, Long>> errors;
    private final List<Event> events = new ArrayList<>();

    /** Guarded by {@link #events}; its last entry is the current fault, if there is one. */
    private final List<FaultState> states = new ArrayList<>();

    /** The workers that faults end, by their index. */
    private final Set<Integer> endedWorkers = ConcurrentHashMap.newKeySet();

    private @Nullable Thread thread;

    /** Guarded by this object, as is the next one. */
    private boolean ended;

    /** Whether an interrupt would reach what begins, which takes back by itself what it has done. */
    private boolean beginning;

    /**
     * Nothing is done before {@link #begin}.
     *
     * @param clock epoch nanoseconds
     * @param errors how many of each kind there were until now
     */
    FaultInjector(
            List<Fault> faults,
            FaultMeans means,
            SystemControl control,
            Topology topology,
            LongSupplier clock,
            Supplier<Map<String, Long>> errors) {
        this.faults = faults;
        this.means = means;
        this.control = control;
        this.topology = topology;
        this.clock = clock;
        this.errors = errors;
    }

    /** The measurement begins now. Does nothing without faults. */
    public void begin() {
        if (faults.isEmpty()) {
            return;
        }
        long startNs = clock.getAsLong();
        Thread started = new Thread(() -> inject(startNs), "faults");
        started.setDaemon(true);
        started.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        thread = started;
        started.start();
    }

    /**
     * The measurement has ended: no fault begins any more, and a current one is undone.
     *
     * @return what has been done, in order
     */
    public List<Event> end() throws InterruptedException {
        if (thread != null) {
            askToEnd(thread);
            thread.join(END_LIMIT.toMillis());
            if (thread.isAlive()) {
                LOG.warn("A fault is still being undone after {} s", END_LIMIT.toSeconds());
            }
        }
        synchronized (events) {
            return List.copyOf(events);
        }
    }

    /** The faults that have been ordered, as far as they have come, in order. May be called by any thread. */
    public List<FaultState> soFar() {
        synchronized (events) {
            return List.copyOf(states);
        }
    }

    /**
     * Whether a fault has ended a worker, or is about to: that it does not answer any more was to be expected then. May be
     * called by any thread.
     *
     * @param worker its index
     */
    boolean endsWorker(int worker) {
        return endedWorkers.contains(worker);
    }

    private void ordered(FaultState state) {
        synchronized (events) {
            states.add(state);
        }
    }

    private void latest(UnaryOperator<FaultState> change) {
        synchronized (events) {
            states.set(states.size() - 1, change.apply(states.get(states.size() - 1)));
        }
    }

    /** Interrupts what begins, never what is being taken back. */
    private synchronized void askToEnd(Thread injecting) {
        ended = true;
        notifyAll();
        if (beginning) {
            injecting.interrupt();
        }
    }

    private void inject(long startNs) {
        for (Fault fault : faults) {
            if (!waitUntil(startNs + fault.begin().toNanos())) {
                return;
            }
            Event event = happen(fault, startNs + fault.end().toNanos());
            synchronized (events) {
                events.add(event);
            }
        }
    }

    private Event happen(Fault fault, long endNs) {
        Map<String, Long> errorsBefore = errors.get();
        long orderedNs = clock.getAsLong();
        ordered(FaultState.ordered(words(fault), orderedNs));
        if (fault.endsWorker()) {
            endedWorkers.add(index(fault));
        }
        FaultMeans.Begun begun;
        try {
            begun = begin(fault);
        } catch (FaultException e) {
            LOG.warn("A fault could not be injected", e);
            return nothing(fault, orderedNs, String.valueOf(e.getMessage()), errorsBefore);
        } catch (InterruptedException e) {
            String problem = "the measurement ended while the fault began, and the fault was undone";
            return nothing(fault, orderedNs, problem, errorsBefore);
        }
        long begunNs = clock.getAsLong();
        latest(state -> state.begun(begun.what(), begunNs));
        waitUntil(endNs);
        long undoOrderedNs = clock.getAsLong();
        String problem = undo(begun);
        long undoneNs = clock.getAsLong();
        latest(state -> state.undone(undoneNs, problem));
        return new Event(
                begun.what(), orderedNs, begunNs, undoOrderedNs, undoneNs, problem, begun.output(), errorsBefore);
    }

    private FaultMeans.Begun begin(Fault fault) throws FaultException, InterruptedException {
        synchronized (this) {
            if (ended) {
                throw new InterruptedException();
            }
            beginning = true;
        }
        try {
            return means.begin(fault, this::leader);
        } finally {
            synchronized (this) {
                beginning = false;
                // One that came when all had been done is not for what follows.
                Thread.interrupted();
            }
        }
    }

    private static int index(Fault fault) {
        return fault.worker().orElseThrow() - 1;
    }

    private Event nothing(Fault fault, long orderedNs, String problem, Map<String, Long> errorsBefore) {
        if (fault.endsWorker()) {
            endedWorkers.remove(index(fault));
        }
        long nowNs = clock.getAsLong();
        latest(state -> state.failed(problem));
        return new Event(words(fault), orderedNs, nowNs, nowNs, nowNs, problem, List.of(), errorsBefore);
    }

    private static String words(Fault fault) {
        return fault.kind().done() + " " + fault.target();
    }

    /** Returns what went wrong; null if nothing did. */
    private static @Nullable String undo(FaultMeans.Begun begun) {
        try {
            begun.undo();
            return null;
        } catch (FaultException e) {
            LOG.warn("A fault was not taken back", e);
            return String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            // Nobody interrupts this thread but when a fault begins.
            throw new IllegalStateException(e);
        }
    }

    private Optional<String> leader() throws FaultException, InterruptedException {
        try {
            return control.leaders(topology.topics().subList(0, 1)).stream()
                    .flatMap(List::stream)
                    .findFirst()
                    .filter(address -> !address.isEmpty());
        } catch (DriverException e) {
            throw new FaultException("which node leads is not known: " + e.getMessage(), e);
        }
    }

    /** Returns whether the measurement continues. */
    private synchronized boolean waitUntil(long epochNs) {
        try {
            for (long leftNs = epochNs - clock.getAsLong();
                    leftNs > 0 && !ended;
                    leftNs = epochNs - clock.getAsLong()) {
                TimeUnit.NANOSECONDS.timedWait(this, Math.max(leftNs, NS_PER_MS));
            }
            return !ended;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
