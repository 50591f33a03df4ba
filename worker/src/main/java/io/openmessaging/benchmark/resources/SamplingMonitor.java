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
 * Reads probes at a fixed pace, and again whenever a period ends, so that a period's use is exactly that of its time.
 * Thread-safe: the readings come from a thread of its own, {@link #sample()} from the run's.
 */
public final class SamplingMonitor implements ResourceMonitor {

    /** What this process is called. */
    public static final String HARNESS = "harness";

    private static final Logger LOG = LoggerFactory.getLogger(SamplingMonitor.class);

    /** A growth over less time than this says nothing: processor time is counted in hundredths of a second. */
    private static final long SHORTEST_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final List<Watched> watched = new ArrayList<>();
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
    }

    /**
     * Starts to watch.
     *
     * @param probes those that read the same thing in several ways together
     * @param processors how many this machine has, for what is not elsewhere
     */
    static SamplingMonitor start(
            List<List<ResourceProbe>> probes, List<String> problems, double processors, Duration period) {
        ScheduledExecutorService thread = newThread("resources");
        SamplingMonitor monitor = new SamplingMonitor(probes, problems, processors, System::nanoTime, thread);
        var unused =
                thread.scheduleAtFixedRate(monitor::read, 0, Math.max(1, period.toMillis()), TimeUnit.MILLISECONDS);
        return monitor;
    }

    /** A thread that does not keep this process from ending. */
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
     * @param isLoadThread knows a sending thread of this process by its name
     * @param others further ways to read something, closed with the monitor; where one has the name of a process, both
     *     are one in what is read
     * @param problems what is known beforehand to keep figures from being read, a sentence each
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

    /** Starts to watch this process, the limit that somebody else may have put it in, and this machine. */
    public static SamplingMonitor ofThisProcess(Predicate<String> isLoadThread, Duration period) {
        List<ControlGroupProbe> limit = ContainerLimit.counters().stream()
                .map(counters -> new ControlGroupProbe(HARNESS, ResourceProbe.Role.HARNESS, counters))
                .toList();
        return ofThisMachine(Map.of(), isLoadThread, limit, List.of(), period);
    }

    /** With those that have the same name, which are taken from the others. */
    private static List<ResourceProbe> withOthers(ResourceProbe process, List<ResourceProbe> others) {
        List<ResourceProbe> parts = new ArrayList<>();
        parts.add(process);
        others.stream().filter(other -> other.name().equals(process.name())).forEach(parts::add);
        others.removeAll(parts);
        return parts;
    }

    /** A monitor of one thing, on a machine with so many processors, that is read when it is told to. */
    static SamplingMonitor stepwise(List<ResourceProbe> parts, double processors, LongSupplier nanoTime) {
        return new SamplingMonitor(List.of(parts), List.of(), processors, nanoTime, newThread("never used"));
    }

    /** A scheduled task that throws is not called again. */
    private synchronized void safely(ObjLongConsumer<Watched> reading) {
        try {
            watched.forEach(each -> reading.accept(each, nanoTime.getAsLong()));
        } catch (RuntimeException e) {
            LOG.warn("What the run costs could not be read", e);
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

    /** From a reading of this moment, however short ago the last one was. */
    @Override
    public void begin() {
        safely(Watched::begin);
    }

    @Override
    public Optional<DiskSpace> diskNearlyFull() {
        return watched.stream()
                .flatMap(each -> each.parts.stream())
                .filter(DiskProbe.class::isInstance)
                .flatMap(probe -> ((DiskProbe) probe).nearlyFull().stream())
                .findFirst();
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
     * What one process, target or host has used since the period began, by all that read it. The first of them has its name
     * and role, and of a figure that several know, the first counts.
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
         * The kernel counts in steps, and a count is not read at exactly the time of its reading: what would be more than the
         * machine has belongs to the next reading.
         */
        private double possible(Figure figure, double before, double now, double seconds) {
            return figure.grows() ? Math.min(now, before + figure.most(processors) / figure.factor() * seconds) : now;
        }

        /** What a probe does not tell now, because it is asked at its own pace, counts from what it told last. */
        void begin(long nowNs) {
            last.putAll(readings(nowNs));
            lastCollectors.putAll(collectors());
            var unused = endPeriod();
        }

        /** What was done before the first reading counts for nothing. */
        private void add(String collector, CollectorWork now) {
            CollectorWork before = lastCollectors.put(collector, now);
            collectors.merge(collector, now.since(before == null ? now : before), CollectorWork::plus);
        }

        private void add(Figure figure, double before, double now, double seconds) {
            if (!figure.grows()) {
                merge(figure, FigureUse.of(now, seconds));
            } else if (now >= before) {
                // A count that has become smaller has started again, with another process.
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
