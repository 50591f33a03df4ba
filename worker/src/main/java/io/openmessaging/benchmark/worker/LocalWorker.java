package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.Measurements;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.StallMeter;
import io.openmessaging.benchmark.resources.ResourceMonitor;
import io.openmessaging.benchmark.resources.SamplingMonitor;
import io.openmessaging.benchmark.worker.Load.LoadPlan;
import io.openmessaging.benchmark.worker.Load.SendGrace;
import io.openmessaging.benchmark.worker.protocol.Ceilings;
import io.openmessaging.benchmark.worker.protocol.Placement;
import io.openmessaging.benchmark.worker.protocol.RunDescription;
import io.openmessaging.benchmark.worker.protocol.Topology;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker in this process, for one run. During a request, the calling thread and the threads that it starts have the
 * driver's class loader as their context class loader.
 */
public final class LocalWorker implements Worker {

    private static final Logger LOG = LoggerFactory.getLogger(LocalWorker.class);

    private final Drivers drivers;
    private final LongSupplier clock;
    private final SendGrace sendGrace;
    private final Function<Duration, ResourceMonitor> watch;
    private final Supplier<StallMeter> stalls;
    private final @Nullable Ceilings ceilings;
    private final Consumer<String> progress;
    private final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();
    private @Nullable Connected connected;
    private @Nullable Load load;
    private int loadNumber;
    private long loadStartNs;
    private OptionalLong lastBeganNs = OptionalLong.empty();
    private @Nullable Change lastChange;
    private @Nullable Period lastPeriod;
    private @Nullable AuditPart audit;

    /** Everything that exists once the driver is connected. */
    private record Connected(
            RunDescription run,
            LoadedDriver<?> driver,
            DriverConnection connection,
            Measurements measurements,
            Clients clients,
            SelfWatch watch,
            List<byte[]> payloads) {}

    /** Monitors this process and its machine. */
    private record SelfWatch(StallMeter stalls, ResourceMonitor resources) {

        void close() {
            stalls.close();
            resources.close();
        }
    }

    /**
     * Creates a worker in the coordinator's process, which the coordinator itself monitors. It has no run yet.
     *
     * @param drivers available drivers
     * @param clock epoch nanoseconds
     */
    public LocalWorker(Drivers drivers, LongSupplier clock) {
        this(drivers, clock, text -> {});
    }

    /**
     * Creates such a worker that also reports what it waits for.
     *
     * @param waits receives a text if sends block, on the thread that ends the load
     */
    public LocalWorker(Drivers drivers, LongSupplier clock, Consumer<String> waits) {
        this(drivers, clock, SendGrace.standard(waits));
    }

    /**
     * Creates one of many workers in a process. They share a stall meter: each meter would wake a thread once a
     * millisecond.
     *
     * @param stalls starts to sample the stall meter of the process
     */
    public LocalWorker(Drivers drivers, LongSupplier clock, Supplier<StallMeter> stalls) {
        this(drivers, clock, SendGrace.standard(text -> {}), period -> ResourceMonitor.NONE, stalls, null, text -> {});
    }

    LocalWorker(Drivers drivers, LongSupplier clock, SendGrace sendGrace) {
        this(drivers, clock, sendGrace, period -> ResourceMonitor.NONE, StallMeter::start, null, text -> {});
    }

    private LocalWorker(
            Drivers drivers,
            LongSupplier clock,
            SendGrace sendGrace,
            Function<Duration, ResourceMonitor> watch,
            Supplier<StallMeter> stalls,
            @Nullable Ceilings ceilings,
            Consumer<String> progress) {
        this.drivers = drivers;
        this.clock = clock;
        this.sendGrace = sendGrace;
        this.watch = watch;
        this.stalls = stalls;
        this.ceilings = ceilings;
        this.progress = progress;
    }

    /**
     * Creates a worker in another process than the coordinator: it reports the resource use of this process and
     * machine.
     *
     * @param drivers available drivers
     * @param clock epoch nanoseconds
     * @param ceilings measured limits of this process; null if unknown
     * @param progress receives the number of clients while they are created, and reports of sends that block although
     *     the load has ended; called by the thread that makes the request
     */
    public static LocalWorker elsewhere(
            Drivers drivers, LongSupplier clock, @Nullable Ceilings ceilings, Consumer<String> progress) {
        return new LocalWorker(
                drivers,
                clock,
                SendGrace.standard(progress),
                period -> period.isZero()
                        ? ResourceMonitor.NONE
                        : SamplingMonitor.ofThisProcess(Load::isSendingThread, period),
                StallMeter::start,
                ceilings,
                progress);
    }

    private Connected connected() {
        Connected to = connected;
        if (to == null) {
            throw new IllegalStateException("prepare() comes first");
        }
        return to;
    }

    @Override
    public Prepared prepare(Prepare request) throws DriverException, InterruptedException {
        Connected to = connected;
        if (to == null) {
            to = connect(request.run());
            connected = to;
        }
        Clients clients = to.clients();
        to.driver().run(() -> clients.grow(request.producersPerTopic(), request.consumersPerSubscription()));
        Placement placement = to.run().placement();
        return new Prepared(
                List.of(WorkerMachine.here(placement.worker())
                        .capableOf(ceilings)
                        .askedForClock()),
                List.of(placement));
    }

    private Connected connect(RunDescription run) throws DriverException, InterruptedException {
        LoadedDriver<?> driver;
        try {
            driver = drivers.load(run.driver());
        } catch (ConfigException e) {
            throw new DriverException(describe(e), e);
        }
        checkCapacity(run, driver);
        // Created first: if this fails, no connection is left open.
        List<byte[]> payloads = run.messages().payloads().contents(run.seed());
        int subscriptions = run.topology().subscriptionCount();
        Measurements measurements = run.clients().keepsSpan()
                ? Measurements.stamped(clock, subscriptions)
                : new Measurements(clock, subscriptions);
        if (run.placement().workers() > 1) {
            measurements.keepControl();
        }
        DriverConnection connection = driver.connect(
                new DriverContext(run.runId(), run.clients().controlTimeout(), new Events(measurements)));
        Clients clients = new Clients(run, connection, driver.scratchBytes(), measurements, progress);
        measurements.knowDuplicates(clients::duplicatesOf);
        SelfWatch watched = new SelfWatch(stalls.get(), watch.apply(run.resourcePeriod()));
        return new Connected(run, driver, connection, measurements, clients, watched, payloads);
    }

    /** Checks this process's share of a run. A coordinator without workers has already checked it. */
    private static void checkCapacity(RunDescription run, LoadedDriver<?> driver) throws DriverException {
        Topology topology = run.topology();
        ClientCapacity clients = new ClientCapacity(
                run.producersHere(0, topology.producersPerTopic()).size(),
                topology.hasConsumers()
                        ? run.consumersHere(0, topology.consumersPerSubscription())
                                .size()
                        : 0,
                !run.clients().consumerDelay().isZero());
        Optional<String> lacking = clients.lacking(driver);
        if (lacking.isPresent()) {
            throw new DriverException(lacking.get() + ", or spread them over more workers");
        }
    }

    /** Receives what the client reports outside of calls. */
    private final class Events implements DriverEvents {

        private final Measurements measurements;

        Events(Measurements measurements) {
            this.measurements = measurements;
        }

        @Override
        public void clientError(String kind, Throwable cause) {
            measurements.errors().count(kind, cause);
        }

        @Override
        public void fatal(Throwable cause) {
            fail(cause);
        }
    }

    /** The first error ends the run; later ones are only logged. */
    private void fail(Throwable cause) {
        boolean first = failure.compareAndSet(null, new Failure(clock.getAsLong(), describe(cause)));
        LOG.error(first ? "The client cannot continue" : "Another error after the client could not continue", cause);
    }

    @Override
    public Probed probe(Probe request) throws DriverException, InterruptedException {
        Connected to = connected();
        to.clients().probes().begin(request.series());
        BitSet arrived = request.arrived();
        if (arrived != null) {
            to.driver().run(() -> to.clients().sendProbes(arrived));
        }
        Probes probes = to.clients().probes();
        Optional<String> overwritten = probes.overwritten();
        if (overwritten.isPresent()) {
            throw new DriverException(overwritten.get());
        }
        return new Probed(
                probes.arrived(),
                probes.onTheirWay(),
                probes.lastError().map(LocalWorker::describe).orElse(null));
    }

    @Override
    public long start(Start request) throws DriverException, InterruptedException {
        Connected to = connected();
        if (request.number() == loadNumber) {
            return loadStartNs;
        }
        if (load != null) {
            throw new IllegalStateException("load " + loadNumber + " is still running");
        }
        boolean freshPayloads = to.connection().payloadOwnership() == PayloadOwnership.KEPT_AFTER_SEND;
        LoadPlan plan = new LoadPlan(
                request,
                to.run().messages().arrivals(),
                to.payloads(),
                to.run().messages().keys(),
                to.run().seed().part(request.number()),
                to.run().placement().worker(),
                to.clients().producingWorkers());
        Load started = to.driver()
                .call(() -> new Load(
                        plan,
                        to.clients().producers(),
                        freshPayloads,
                        to.measurements(),
                        clock,
                        sendGrace,
                        this::fail));
        load = started;
        lastChange = null;
        loadNumber = request.number();
        to.measurements().beginLoad();
        loadStartNs = started.start();
        return loadStartNs;
    }

    @Override
    public void change(Change request) {
        if (load != null && !request.equals(lastChange)) {
            lastChange = request;
            load.changeRate(request.atNs(), request.rates());
        }
    }

    @Override
    public void consume(boolean delivered) throws DriverException, InterruptedException {
        Connected to = connected();
        to.driver().run(() -> to.clients().consume(delivered));
    }

    @Override
    public Status status(List<Offset> clocks) {
        Connected to = connected();
        if (!clocks.isEmpty()) {
            to.clients().clocks(clocks);
        }
        Measurements measurements = to.measurements();
        return new Status(
                measurements.totals(),
                new LatestLoad(
                        load == null || load.finished(),
                        measurements.loadSpan().orElse(null),
                        began(to.run().placement().worker())),
                measurements.errors().byKind(),
                List.of(HarnessUsage.now()),
                List.of(),
                failure.get());
    }

    private Map<Integer, Long> began(int worker) {
        OptionalLong beganNs = load == null ? lastBeganNs : load.beganNs();
        return beganNs.isPresent() ? Map.of(worker, beganNs.getAsLong()) : Map.of();
    }

    /** The message of a JVM error is no sentence, but for example only the name of a missing class. */
    private static String describe(Throwable error) {
        return error instanceof Error || error.getMessage() == null ? error.toString() : error.getMessage();
    }

    @Override
    public Period period(int number) {
        Connected to = connected();
        int last = lastPeriod == null ? 0 : lastPeriod.number();
        if (lastPeriod == null || number != last) {
            if (number != last + 1) {
                throw new IllegalArgumentException("period " + number + " does not follow period " + last);
            }
            SelfWatch watched = to.watch();
            PeriodSnapshot seen =
                    to.measurements().sample().withStalls(watched.stalls().sample());
            lastPeriod = new Period(
                    number,
                    seen,
                    List.of(to.measurements().takeUnsent()),
                    watched.resources().sample());
        }
        return lastPeriod;
    }

    @Override
    public Marks stop(Stop request) throws DriverException, InterruptedException {
        if (load != null) {
            load.stop();
            lastBeganNs = load.beganNs();
            load = null;
        }
        return new Marks(request.searchEnds() ? connected().clients().marks() : Map.of());
    }

    @Override
    public void endSearch(Marks marks) {
        connected().clients().endSearch(marks.sequences());
    }

    @Override
    public AuditPart finish() throws DriverException, InterruptedException {
        if (audit == null) {
            Connected to = connected();
            audit = to.driver().call(to.clients()::close);
        }
        return audit;
    }

    @Override
    public void close() throws DriverException {
        Connected to = connected;
        if (to == null) {
            return;
        }
        connected = null;
        to.watch().close();
        try {
            stop(new Stop(false));
        } catch (DriverException e) {
            LOG.warn("Ending the load failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            if (audit == null) {
                to.driver().call(to.clients()::close);
            }
        } catch (DriverException e) {
            LOG.warn("Producers and consumers could not be closed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        to.driver().close(to.connection());
    }
}
