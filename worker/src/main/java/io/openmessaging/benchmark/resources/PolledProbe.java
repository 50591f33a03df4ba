package io.openmessaging.benchmark.resources;

import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.NodeFigures;
import io.openmessaging.benchmark.driver.PrometheusText.Sample;
import io.openmessaging.benchmark.measure.CollectorWork;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Polls another process for figures at a fixed pace, on a thread of its own, so that a slow or hanging source delays
 * nothing else. {@link #read()} returns the answer since the last reading.
 */
public final class PolledProbe extends ResourceProbe {

    /** A source of figures. */
    interface Source extends AutoCloseable {

        /** Asks for the figures. May block; the thread is interrupted when the answer is no longer needed. */
        List<Sample> ask() throws Exception;

        @Override
        void close();
    }

    private record PolledFigures(EnumMap<Figure, Double> figures, Map<String, CollectorWork> collectors, long atNs) {}

    private final String target;
    private final Source source;
    private final Set<Figure> leftOut;
    private final AtomicReference<@Nullable PolledFigures> latest = new AtomicReference<>();
    private final ScheduledExecutorService thread;
    private Map<String, CollectorWork> collectors = Map.of();
    private long answeredNs;

    private volatile int attempts;
    private volatile int failures;
    private volatile String lastFailure = "";

    /**
     * Starts to poll.
     *
     * @param target the source, for a sentence about why figures could not be read
     * @param leftOut figures that are read in another way
     */
    PolledProbe(String name, Role role, String target, Source source, Duration every, Set<Figure> leftOut) {
        super(name, role);
        this.target = target;
        this.source = source;
        this.leftOut = leftOut;
        this.thread = SamplingMonitor.newThread("figures of " + name);
        var unused = thread.scheduleWithFixedDelay(this::ask, 0, Math.max(1, every.toMillis()), TimeUnit.MILLISECONDS);
    }

    private static final Address.Form OWN =
            new Address.Form("a URL", List.of("http"), Address.Port.REQUIRED, false, true);

    /**
     * Starts to poll an exporter for Prometheus.
     *
     * @param name the process or host that the figures belong to
     * @param target the address of the exporter
     * @param leftOut figures that are read in another way
     */
    public static PolledProbe ofExporter(String name, Role role, Address target, Duration every, Set<Figure> leftOut) {
        return new PolledProbe(name, role, target + target.rest(), new Exporter(target), every, leftOut);
    }

    /**
     * Starts to poll the exporter of a JVM on this machine, and requests only the series that are read. Exporters that
     * do not support this answer with all they have.
     *
     * @param address {@code host:port}
     */
    public static PolledProbe ofLocalExporter(String name, String address, Duration every, Set<Figure> leftOut) {
        String wanted = SeriesMapping.SHIPPED.names(leftOut).stream()
                .map(series -> "name%5B%5D=" + series)
                .collect(Collectors.joining("&"));
        String target = "http://" + address + "/metrics";
        Exporter exporter = new Exporter(Address.parse(target + "?" + wanted, OWN));
        return new PolledProbe(name, Role.BROKER, target, exporter, every, leftOut);
    }

    /**
     * Starts to poll a broker through its client.
     *
     * @param figures closed with the probe
     * @param leftOut figures that are read in another way
     */
    public static PolledProbe ofBroker(String name, NodeFigures figures, Duration every, Set<Figure> leftOut) {
        return new PolledProbe(name, Role.BROKER, figures.address(), new Numbers(figures), every, leftOut);
    }

    /** Numbers without labels. */
    private record Numbers(NodeFigures figures) implements Source {
        @Override
        public List<Sample> ask() throws Exception {
            return figures.read().entrySet().stream()
                    .map(number -> new Sample(number.getKey(), Map.of(), number.getValue()))
                    .toList();
        }

        @Override
        public void close() {
            figures.close();
        }
    }

    /** Only this thread writes the counts. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void ask() {
        attempts++;
        try {
            List<Sample> samples = source.ask();
            EnumMap<Figure, Double> figures = SeriesMapping.SHIPPED.figures(samples);
            figures.keySet().removeAll(leftOut);
            latest.set(new PolledFigures(figures, SeriesMapping.SHIPPED.collectors(samples), System.nanoTime()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            failures++;
            lastFailure = e.getMessage() == null ? e.toString() : e.getMessage();
        }
    }

    @Override
    public EnumMap<Figure, Double> read() {
        PolledFigures answered = latest.getAndSet(null);
        if (answered == null) {
            return new EnumMap<>(Figure.class);
        }
        collectors = answered.collectors;
        answeredNs = answered.atNs;
        return answered.figures;
    }

    /**
     * Returns the time of the answer. The source is polled at its own pace: relative to the time of reading, growth
     * over two seconds could seem to be growth over one.
     */
    @Override
    long asOfNs(long readNs) {
        return answeredNs;
    }

    @Override
    public Map<String, CollectorWork> collectors() {
        return collectors;
    }

    @Override
    public Optional<String> problem() {
        return failures == 0
                ? Optional.empty()
                : Optional.of(target + ": " + failures + " of " + attempts + " readings have failed: " + lastFailure);
    }

    @Override
    public void close() {
        thread.shutdownNow();
        source.close();
    }
}
