package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.audit.ConsumerAudit;
import io.openmessaging.benchmark.audit.ProducerAudit;
import io.openmessaging.benchmark.audit.SubscriptionAudit;
import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.load.CheckingListener;
import io.openmessaging.benchmark.load.LoadedProducer;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.MessageReceiver;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.load.SealingProducer;
import io.openmessaging.benchmark.load.SlowListener;
import io.openmessaging.benchmark.load.WindowedProducer;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.LoadSpan;
import io.openmessaging.benchmark.measure.Measurements;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.StallMeter;
import io.openmessaging.benchmark.measure.Totals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker in this process. Its methods are called by one thread; see {@link Worker}. */
public final class LocalWorker implements Worker {

    private static final Logger LOG = LoggerFactory.getLogger(LocalWorker.class);

    /** How long a send may go on blocking once the load is to end. */
    private static final Duration SEND_GRACE = Duration.ofSeconds(10);

    private final LoadedDriver<?> driver;
    private final LongSupplier clock;
    private final Duration sendGrace;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final List<LoadedProducer> producers = new ArrayList<>();
    private final List<BenchmarkProducer> openProducers = new ArrayList<>();
    private final List<BenchmarkConsumer> consumers = new ArrayList<>();
    private final List<ConsumerAudit> consumerAudits = new ArrayList<>();
    private final Map<Integer, SubscriptionAudit> subscriptionAudits = new HashMap<>();
    private final @Nullable ClassLoader contextBefore = Thread.currentThread().getContextClassLoader();
    private @Nullable Connected connected;
    private @Nullable Load load;

    /** What there is once the driver is connected. */
    private record Connected(
            WorkerPlan plan,
            DriverConnection connection,
            Measurements measurements,
            StallMeter stalls,
            Probes probes) {}

    /**
     * A worker that is not connected yet. From {@link #connect} to {@link #close}, the calling thread and those that it
     * starts have the driver's class loader as context class loader.
     *
     * @param driver what to connect with
     * @param clock epoch nanoseconds
     */
    public LocalWorker(LoadedDriver<?> driver, LongSupplier clock) {
        this(driver, clock, SEND_GRACE);
    }

    LocalWorker(LoadedDriver<?> driver, LongSupplier clock, Duration sendGrace) {
        this.driver = driver;
        this.clock = clock;
        this.sendGrace = sendGrace;
    }

    private Connected connected() {
        if (connected == null) {
            throw new IllegalStateException("connect() comes first");
        }
        return connected;
    }

    @Override
    public BrokerDescription connect(WorkerPlan plan) throws DriverException, InterruptedException {
        Thread.currentThread().setContextClassLoader(driver.classLoader());
        Topology topology = plan.topology();
        int subscriptions = topology.subscriptionCount();
        Measurements measurements = plan.options().keepsSpan()
                ? Measurements.stamped(clock, subscriptions)
                : new Measurements(clock, subscriptions);
        DriverContext context = new DriverContext(plan.runId(), plan.controlTimeout(), new Events(measurements));
        DriverConnection connection = driver.connect(context);
        connected =
                new Connected(plan, connection, measurements, StallMeter.start(), new Probes(plan.runTag(), topology));
        measurements.knowDuplicates(this::duplicatesOf);
        return connection.describeBroker();
    }

    /** Of all topics together. */
    private long duplicatesOf(int subscription) {
        return subscriptionAudits.values().stream()
                .filter(audit -> audit.subscription() == subscription)
                .mapToLong(SubscriptionAudit::duplicatedSoFar)
                .sum();
    }

    /** What the client reports outside of calls. */
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

    /** The first error is the one that ends the run; the others are kept with it. */
    private void fail(Throwable cause) {
        if (!failure.compareAndSet(null, cause)) {
            Throwable first = failure.get();
            if (first != null && first != cause) {
                first.addSuppressed(cause);
            }
        }
    }

    @Override
    public void createTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        connected().connection().createTopics(topics);
    }

    @Override
    public void createConsumers(List<Topology.Consumer> toCreate) throws DriverException, InterruptedException {
        Connected run = connected();
        List<ConsumerSpec> specs = new ArrayList<>();
        for (Topology.Consumer consumer : toCreate) {
            specs.add(new ConsumerSpec(
                    consumer.id(),
                    run.plan().topology().topics().get(consumer.topic()),
                    Topology.subscriptionName(consumer.subscription()),
                    newListener(run, consumer)));
        }
        consumers.addAll(run.connection().createConsumers(specs));
    }

    private MessageListener newListener(Connected run, Topology.Consumer consumer) {
        MessageListener receiver = newReceiver(run, consumer);
        Duration delay = run.plan().options().consumerDelay();
        int runTag = run.plan().runTag();
        return delay.isZero()
                ? receiver
                : new SlowListener(receiver, delay, payload -> MessageHeader.isProbe(payload, runTag));
    }

    private MessageListener newReceiver(Connected run, Topology.Consumer consumer) {
        WorkerPlan plan = run.plan();
        Topology topology = plan.topology();
        TopicSpec topic = topology.topics().get(consumer.topic());
        SubscriptionAudit subscriptionAudit = subscriptionAudits.computeIfAbsent(
                consumer.topic() * topology.subscriptionCount() + consumer.subscription(),
                i -> new SubscriptionAudit(topic.name(), consumer.subscription()));
        ConsumerAudit audit = new ConsumerAudit(
                subscriptionAudit,
                topology.firstProducer(consumer.topic()),
                topology.producersPerTopic(),
                topic.partitions());
        consumerAudits.add(audit);
        MessageReceiver receiver = new MessageReceiver(
                consumer.subscription(),
                plan.layout(),
                plan.runTag(),
                audit,
                run.measurements(),
                clock,
                partition -> run.probes().arrived(consumer.topic(), consumer.subscription(), partition));
        return plan.options().verifiesPayloads()
                ? new CheckingListener(receiver, plan.runTag(), audit, run.measurements())
                : receiver;
    }

    @Override
    public void createProducers(List<ProducerSpec> toCreate) throws DriverException, InterruptedException {
        Connected run = connected();
        List<BenchmarkProducer> created = run.connection().createProducers(toCreate);
        openProducers.addAll(created);
        for (int i = 0; i < created.size(); i++) {
            producers.add(newProducer(run, created.get(i), toCreate.get(i).id()));
        }
    }

    private static LoadedProducer newProducer(Connected run, BenchmarkProducer created, int id) {
        WorkerPlan plan = run.plan();
        OptionalInt limit = plan.options().inFlightLimit();
        BenchmarkProducer sending = plan.options().verifiesPayloads() ? new SealingProducer(created) : created;
        BenchmarkProducer client = limit.isPresent() ? new WindowedProducer(sending, limit.getAsInt()) : sending;
        return new LoadedProducer(client, new ProducerAudit(id), run.measurements(), plan.layout(), plan.runTag());
    }

    @Override
    public void sendProbes(BitSet arrivedAnywhere) throws InterruptedException {
        Connected run = connected();
        Topology topology = run.plan().topology();
        PayloadOwnership ownership = run.connection().payloadOwnership();
        int probedTopic = -1;
        for (LoadedProducer producer : producers) {
            int topic = producer.audit().producer() / topology.producersPerTopic();
            if (topic != probedTopic && run.probes().isMissing(topic, arrivedAnywhere)) {
                run.probes().send(producer.producer(), ownership);
            }
            probedTopic = topic;
        }
    }

    @Override
    public BitSet arrivedProbes() {
        return connected().probes().arrived();
    }

    @Override
    public long probesOnTheirWay() {
        return connected().probes().onTheirWay();
    }

    @Override
    public Optional<Throwable> probeError() {
        return connected().probes().lastError();
    }

    @Override
    public void startLoad(LoadPlan plan) {
        Connected run = connected();
        boolean freshPayloads = run.connection().payloadOwnership() == PayloadOwnership.KEPT_AFTER_SEND;
        Load started = new Load(plan, producers, freshPayloads, run.measurements(), clock, sendGrace, this::fail);
        load = started;
        run.measurements().beginLoad();
        started.start();
    }

    @Override
    public void changeRate(RateProfile rates) {
        if (load != null) {
            load.changeRate(rates);
        }
    }

    @Override
    public Optional<LoadSpan> loadSpan() {
        return connected().measurements().loadSpan();
    }

    @Override
    public void pauseConsumers() throws DriverException, InterruptedException {
        for (BenchmarkConsumer consumer : consumers) {
            consumer.pause();
        }
    }

    @Override
    public void resumeConsumers() throws DriverException, InterruptedException {
        for (BenchmarkConsumer consumer : consumers) {
            consumer.resume();
        }
    }

    @Override
    public boolean loadFinished() {
        return load == null || load.finished();
    }

    @Override
    public Totals totals() {
        return connected().measurements().totals();
    }

    @Override
    public PeriodSnapshot sample() {
        return connected()
                .measurements()
                .sample()
                .withStalls(connected().stalls().sample());
    }

    @Override
    public LatencySnapshot takeUnsent() {
        return connected().measurements().takeUnsent();
    }

    @Override
    public HarnessUsage usage() {
        return HarnessUsage.now();
    }

    @Override
    public Map<String, Long> errors() {
        return connected().measurements().errors().byKind();
    }

    @Override
    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure.get());
    }

    @Override
    public void stopLoad() throws DriverException, InterruptedException {
        if (load != null) {
            Load stopped = load;
            load = null;
            stopped.stop();
        }
    }

    @Override
    public void endSearch() {
        long[] measuredFrom = new long[connected().plan().topology().producers().size()];
        producers.forEach(producer ->
                measuredFrom[producer.audit().producer()] = producer.audit().endSearch());
        subscriptionAudits.values().forEach(audit -> audit.endSearch(measuredFrom));
    }

    @Override
    public AuditPart closeClients() throws DriverException {
        closeAll();
        consumerAudits.forEach(ConsumerAudit::close);
        AuditPart part = new AuditPart(
                producers.stream()
                        .map(producer -> producer.audit().dispatches())
                        .toList(),
                subscriptionAudits.values().stream()
                        .map(SubscriptionAudit::arrivals)
                        .toList());
        consumerAudits.clear();
        return part;
    }

    private void closeAll() throws DriverException {
        ParallelClose close = new ParallelClose();
        close.all(List.copyOf(openProducers));
        openProducers.clear();
        close.all(List.copyOf(consumers));
        consumers.clear();
        close.throwFirstFailure();
    }

    @Override
    public void deleteTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        connected().connection().deleteTopics(topics);
    }

    @Override
    public void close() throws DriverException {
        try {
            closeConnection();
        } finally {
            Thread.currentThread().setContextClassLoader(contextBefore);
        }
    }

    private void closeConnection() throws DriverException {
        if (connected == null) {
            return;
        }
        DriverConnection connection = connected.connection();
        try {
            stopLoad();
        } catch (DriverException e) {
            LOG.warn("Ending the load failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            closeAll();
        } catch (DriverException e) {
            LOG.warn("Closing producers and consumers failed", e);
        }
        producers.clear();
        connected.stalls().close();
        connected = null;
        connection.close();
    }
}
