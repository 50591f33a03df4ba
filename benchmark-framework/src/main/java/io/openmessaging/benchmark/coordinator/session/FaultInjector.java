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
 * Injects the faults of a workload during its measurement, on a thread of its own: {@code faults}. The run's thread
 * starts and ends it, and meanwhile does not use the coordinator's connection, over which this class requests the
 * leader.
 */
public final class FaultInjector {

    private static final Logger LOG = LoggerFactory.getLogger(FaultInjector.class);

    /** Longest wait for the last fault to be undone; orders to end nodes, and to start them, take less. */
    private static final Duration END_LIMIT = Duration.ofMinutes(2);

    private static final long NS_PER_MS = 1_000_000;

    private final List<Fault> faults;
    private final FaultMeans means;
    private final SystemControl control;
    private final Topology topology;
    private final LongSupplier clock;
    private final Supplier<Map<String, Long>> errors;
    private final List<Event> events = new ArrayList<>();

    /** Guarded by {@link #events}; the last entry is the current fault, if there is one. */
    private final List<FaultState> states = new ArrayList<>();

    /** Indexes of the workers that faults end. */
    private final Set<Integer> endedWorkers = ConcurrentHashMap.newKeySet();

    private @Nullable Thread thread;

    /** Guarded by this object, as is the next field. */
    private boolean ended;

    /** True while an interrupt would reach a fault that is being injected, which then undoes its own work. */
    private boolean beginning;

    /**
     * Creates an injector that does nothing before {@link #begin}.
     *
     * @param clock epoch nanoseconds
     * @param errors number of errors until now, by kind
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

    /** Starts injecting: the measurement starts now. Does nothing without faults. */
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
     * Ends injecting, because the measurement has ended: no further fault starts, and a current one is undone.
     *
     * @return all faults, in order, also those that the measurement did not reach; empty if it reached none
     */
    public List<Event> end() throws InterruptedException {
        Thread injecting = thread;
        if (injecting == null) {
            return List.of();
        }
        askToEnd(injecting);
        injecting.join(END_LIMIT.toMillis());
        synchronized (events) {
            List<Event> all = new ArrayList<>(events);
            boolean beingUndone = injecting.isAlive();
            if (all.isEmpty() && !beingUndone) {
                return all;
            }
            for (int i = events.size(); i < faults.size(); i++) {
                all.add(missing(
                        faults.get(i),
                        beingUndone && i == events.size()
                                ? "it was still being undone " + END_LIMIT.toSeconds() + " s after the measurement"
                                : "the measurement ended before it started"));
            }
            return all;
        }
    }

    private Event missing(Fault fault, String problem) {
        long nowNs = clock.getAsLong();
        return new Event(words(fault), nowNs, nowNs, nowNs, nowNs, problem, List.of(), errors.get());
    }

    /** The progress of the faults that have been ordered, in order. May be called by any thread. */
    public List<FaultState> soFar() {
        synchronized (events) {
            return List.copyOf(states);
        }
    }

    /**
     * Returns whether a fault has ended a worker, or is about to: it is then expected not to answer any more. May be
     * called by any thread.
     *
     * @param worker index of the worker
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

    /** Interrupts a fault that is being injected, never one that is being undone. */
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
            String problem = "the measurement ended while the fault was being injected, and the fault was undone";
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
                // An interrupt that arrived after the fault was injected is not meant for later calls.
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

    /** Undoes a fault; returns the problem, or null if there was none. */
    private static @Nullable String undo(FaultMeans.Begun begun) {
        try {
            begun.undo();
            return null;
        } catch (FaultException e) {
            LOG.warn("A fault could not be undone", e);
            return String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            // This thread is only interrupted while a fault is being injected.
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
            throw new FaultException("the leading node is not known: " + e.getMessage(), e);
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
