package io.openmessaging.benchmark.resources;

import io.openmessaging.benchmark.limits.ContainerLimit;
import io.openmessaging.benchmark.measure.CollectorWork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import oshi.SystemInfo;

/**
 * Reads probes at a fixed pace, and also whenever a period ends, so that a period's usage is exactly that of its time.
 * Thread-safe: it reads on a thread of its own; {@link #sample()} is called by the run's thread.
 */
public final class SamplingMonitor implements ResourceMonitor {

    /** Name of this process. */
    public static final String HARNESS = "harness";

    private static final Logger LOG = LoggerFactory.getLogger(SamplingMonitor.class);

    /** Shortest time over which growth is computed: processor time is counted in hundredths of a second. */
    private static final long SHORTEST_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final List<Watched> watched = new ArrayList<>();
    private final List<DiskProbe> disks;
    private final List<String> knownProblems;
    private final LongSupplier nanoTime;
    private final ScheduledExecutorService thread;

    private SamplingMonitor(
            List<List<ResourceProbe>> probes,
            List<String> problems,
            double processors,
            LongSupplier nanoTime,
            ScheduledExecutorService thread) {
        this.knownProblems = List.copyOf(problems);
        this.nanoTime = nanoTime;
        this.thread = thread;
        probes.forEach(parts -> watched.add(
                new Watched(parts, parts.get(0) instanceof PolledProbe ? Double.POSITIVE_INFINITY : processors)));
        this.disks = probes.stream()
                .flatMap(List::stream)
                .filter(DiskProbe.class::isInstance)
                .map(DiskProbe.class::cast)
                .toList();
    }

    /**
     * Starts to watch.
     *
     * @param probes probes, grouped if they read the same thing in different ways
     * @param processors number of processors of this machine, for things that are not elsewhere
     */
    static SamplingMonitor start(
            List<List<ResourceProbe>> probes, List<String> problems, double processors, Duration period) {
        ScheduledExecutorService thread = newThread("resources");
        SamplingMonitor monitor = new SamplingMonitor(probes, problems, processors, System::nanoTime, thread);
        var unused =
                thread.scheduleAtFixedRate(monitor::read, 0, Math.max(1, period.toMillis()), TimeUnit.MILLISECONDS);
        return monitor;
    }

    /** Creates an executor with a daemon thread, which does not keep this process from ending. */
    static ScheduledExecutorService newThread(String name) {
        return Executors.newSingleThreadScheduledExecutor(task -> {
            Thread created = new Thread(task, name);
            created.setDaemon(true);
            return created;
        });
    }

    /**
     * Starts to watch this process, this machine, some other processes on it, and whatever else is given.
     *
     * @param brokerNodes process ids by name
     * @param isLoadThread returns, from its name, whether a thread of this process sends
     * @param others further probes, closed with the monitor; a probe with the name of a process is merged with it
     * @param problems known reasons why figures cannot be read, a sentence each
     */
    public static SamplingMonitor ofThisMachine(
            Map<String, LongSupplier> brokerNodes,
            Predicate<String> isLoadThread,
            List<? extends ResourceProbe> others,
            List<String> problems,
            Duration period) {
        SystemInfo machine = new SystemInfo();
        List<List<ResourceProbe>> probes = new ArrayList<>();
        List<ResourceProbe> ofNoProcess = new ArrayList<>(others);
        brokerNodes.forEach((name, pid) -> probes.add(withOthers(
                new ProcessProbe(name, ResourceProbe.Role.BROKER, pid, machine.getOperatingSystem()), ofNoProcess)));
        List<ResourceProbe> harness =
                withOthers(new HarnessProbe(machine.getOperatingSystem(), isLoadThread), ofNoProcess);
        ofNoProcess.forEach(probe -> probes.add(List.of(probe)));
        probes.add(harness);
        probes.add(List.of(new HostProbe(machine.getHardware())));
        int processors = machine.getHardware().getProcessor().getLogicalProcessorCount();
        return start(probes, problems, processors, period);
    }

    /** Starts to watch this process, the limit that others may have set for it, and this machine. */
    public static SamplingMonitor ofThisProcess(Predicate<String> isLoadThread, Duration period) {
        List<ControlGroupProbe> limit = ContainerLimit.counters().stream()
                .map(counters -> new ControlGroupProbe(HARNESS, ResourceProbe.Role.HARNESS, counters))
                .toList();
        return ofThisMachine(Map.of(), isLoadThread, limit, List.of(), period);
    }

    /** Groups a process' probe with the probes of the same name, which are removed from the others. */
    private static List<ResourceProbe> withOthers(ResourceProbe process, List<ResourceProbe> others) {
        List<ResourceProbe> parts = new ArrayList<>();
        parts.add(process);
        others.stream().filter(other -> other.name().equals(process.name())).forEach(parts::add);
        others.removeAll(parts);
        return parts;
    }

    /** Creates a monitor of one thing, on a machine with the given number of processors, that reads only on request. */
    static SamplingMonitor stepwise(List<ResourceProbe> parts, double processors, LongSupplier nanoTime) {
        return new SamplingMonitor(List.of(parts), List.of(), processors, nanoTime, newThread("never used"));
    }

    /** Reads, and logs exceptions: a scheduled task that throws is not called again. */
    private synchronized void safely(ObjLongConsumer<Watched> reading) {
        try {
            watched.forEach(each -> reading.accept(each, nanoTime.getAsLong()));
        } catch (RuntimeException e) {
            LOG.warn("Cannot read the resource usage of the run", e);
        }
    }

    /** Reads all probes. */
    void read() {
        safely(Watched::read);
    }

    @Override
    public synchronized ResourcePeriod sample() {
        read();
        return new ResourcePeriod(watched.stream().map(Watched::endPeriod).toList());
    }

    /** Starts the period with a new reading, however recent the last one was. */
    @Override
    public void begin() {
        safely(Watched::begin);
    }

    @Override
    public Optional<DiskSpace> diskNearlyFull() {
        return disks.stream().flatMap(disk -> disk.nearlyFull().stream()).findFirst();
    }

    @Override
    public synchronized List<String> problems() {
        return Stream.concat(knownProblems.stream(), watched.stream().flatMap(each -> each.problem().stream()))
                .toList();
    }

    @Override
    public void close() {
        thread.shutdownNow();
        synchronized (this) {
            watched.forEach(each -> each.parts.forEach(ResourceProbe::close));
        }
    }

    /**
     * The usage of one process, target or host since the start of the period, from all probes that read it. The first
     * probe gives name and role; if several know a figure, the first counts.
     */
    private static final class Watched {

        private record Reading(double value, long atNs) {}

        private final List<ResourceProbe> parts;
        private final double processors;
        private final Map<Figure, Reading> last = new EnumMap<>(Figure.class);
        private Map<Figure, FigureUse> period = new EnumMap<>(Figure.class);
        private final Map<String, CollectorWork> lastCollectors = new HashMap<>();
        private Map<String, CollectorWork> collectors = new HashMap<>();

        Watched(List<ResourceProbe> parts, double processors) {
            this.parts = List.copyOf(parts);
            this.processors = processors;
        }

        private Map<Figure, Reading> readings(long nowNs) {
            Map<Figure, Reading> readings = new EnumMap<>(Figure.class);
            for (ResourceProbe part : parts) {
                Map<Figure, Double> figures = part.read();
                long atNs = part.asOfNs(nowNs);
                figures.forEach((figure, value) -> readings.putIfAbsent(figure, new Reading(value, atNs)));
            }
            return readings;
        }

        private Map<String, CollectorWork> collectors() {
            return parts.stream()
                    .map(ResourceProbe::collectors)
                    .filter(known -> !known.isEmpty())
                    .findFirst()
                    .orElse(Map.of());
        }

        Optional<String> problem() {
            return parts.stream().flatMap(part -> part.problem().stream()).reduce((one, other) -> one + "; " + other);
        }

        void read(long nowNs) {
            readings(nowNs).forEach((figure, now) -> {
                Reading before = last.get(figure);
                if (before == null) {
                    last.put(figure, now);
                } else if (now.atNs - before.atNs >= SHORTEST_NS) {
                    double seconds = (now.atNs - before.atNs) / 1e9;
                    double value = possible(figure, before.value, now.value, seconds);
                    last.put(figure, new Reading(value, now.atNs));
                    add(figure, before.value, value, seconds);
                }
            });
            collectors().forEach(this::add);
        }

        /**
         * Limits a count to the growth that is possible on the machine; the excess belongs to the next reading. The
         * kernel counts in steps, and a count is not read at exactly the time of its reading.
         */
        private double possible(Figure figure, double before, double now, double seconds) {
            return figure.grows() ? Math.min(now, before + figure.most(processors) / figure.factor() * seconds) : now;
        }

        /**
         * Starts a period. If a probe has no new figures now, because it is polled at its own pace, growth counts from
         * its last ones.
         */
        void begin(long nowNs) {
            last.putAll(readings(nowNs));
            lastCollectors.putAll(collectors());
            var unused = endPeriod();
        }

        /** Adds a collector's work since the last reading; work before the first reading is ignored. */
        private void add(String collector, CollectorWork now) {
            CollectorWork before = lastCollectors.put(collector, now);
            collectors.merge(collector, now.since(before == null ? now : before), CollectorWork::plus);
        }

        private void add(Figure figure, double before, double now, double seconds) {
            if (!figure.grows()) {
                merge(figure, FigureUse.of(now, seconds));
            } else if (now >= before) {
                // A count that has become smaller was restarted, in another process, and is ignored.
                merge(figure, FigureUse.of((now - before) / seconds * figure.factor(), seconds));
            }
        }

        private void merge(Figure figure, FigureUse use) {
            period.merge(figure, use, FigureUse::followedBy);
        }

        ResourceUse endPeriod() {
            ResourceUse use = new ResourceUse(parts.get(0).name(), parts.get(0).role(), period, collectors);
            period = new EnumMap<>(Figure.class);
            collectors = new HashMap<>();
            return use;
        }
    }
}
