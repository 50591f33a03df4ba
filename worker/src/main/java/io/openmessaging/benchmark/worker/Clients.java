package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.audit.ConsumerAudit;
import io.openmessaging.benchmark.audit.ProducerAudit;
import io.openmessaging.benchmark.audit.SubscriptionAudit;
import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.load.AvailabilityRecorder;
import io.openmessaging.benchmark.load.ForeignReceiver;
import io.openmessaging.benchmark.load.LoadedProducer;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.MessageProperties;
import io.openmessaging.benchmark.load.MessageReceiver;
import io.openmessaging.benchmark.load.PayloadChecks.CheckingListener;
import io.openmessaging.benchmark.load.PayloadChecks.SealingProducer;
import io.openmessaging.benchmark.load.SenderClocks;
import io.openmessaging.benchmark.load.SlowListener;
import io.openmessaging.benchmark.load.WindowedProducer;
import io.openmessaging.benchmark.measure.Consumed;
import io.openmessaging.benchmark.measure.Measurements;
import io.openmessaging.benchmark.worker.protocol.ClientOptions;
import io.openmessaging.benchmark.worker.protocol.Placement;
import io.openmessaging.benchmark.worker.protocol.RunDescription;
import io.openmessaging.benchmark.worker.protocol.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A worker's producers and consumers with their counters. Used by the worker's control thread. */
final class Clients {

    private static final int CLIENTS_AT_A_TIME = 1000;

    private final RunDescription run;
    private final Topology topology;

    /**
     * Topics of this worker's clients. Each is created once because it has a name, which all clients of the topic
     * share.
     */
    private final @Nullable TopicSpec[] topics;

    /** Headers of the system for every message; empty unless the workload has some. */
    private final Map<String, String> headers;

    private final ClientOptions options;
    private final DriverConnection connection;
    private final Measurements measurements;
    private final Probes probes;

    /** Null unless the availability of the system is recorded. */
    private final @Nullable AvailabilityRecorder availability;

    /** Null if this worker has all producers. */
    private final @Nullable SenderClocks senderClocks;

    private final List<LoadedProducer> producers = new ArrayList<>();
    private final List<BenchmarkProducer> openProducers = new ArrayList<>();
    private final List<BenchmarkConsumer> openConsumers = new ArrayList<>();
    private final List<ConsumerAudit> consumerAudits = new ArrayList<>();
    private final Map<Integer, SubscriptionAudit> subscriptionAudits = new HashMap<>();
    private final List<Consumed.ConsumerCounts> consumed = new ArrayList<>();
    private final BitSet knownProducers = new BitSet();
    private final BitSet knownConsumers = new BitSet();
    private int producersPerTopic;
    private boolean paused;
    private final Consumer<String> progress;

    /**
     * Sets out to create clients of a run.
     *
     * @param scratchBytes number of bytes of each message that the driver takes for itself
     */
    Clients(
            RunDescription run,
            DriverConnection connection,
            int scratchBytes,
            Measurements measurements,
            Consumer<String> progress) {
        this.progress = progress;
        this.run = run;
        this.topology = run.topology();
        this.topics = new @Nullable TopicSpec[topology.topicCount()];
        MessageProperties properties = run.messages().properties();
        this.headers =
                properties == null ? Map.of() : properties.values(run.seed().value());
        this.options = run.clients();
        this.connection = connection;
        this.measurements = measurements;
        this.probes = new Probes(run.runTag(), topology, scratchBytes);
        Placement placement = run.placement();
        this.senderClocks = placement.workers() == 1
                ? null
                : new SenderClocks(placement.worker(), placement.workers(), run::workerOfProducer);
        this.availability = options.keepsAvailability()
                ? new AvailabilityRecorder(run.runTag(), measurements.clock(), senderClocks)
                : null;
    }

    private TopicSpec topic(int index) {
        TopicSpec topic = topics[index];
        if (topic == null) {
            topic = topology.topic(index);
            topics[index] = topic;
        }
        return topic;
    }

    /** Sets the offsets of all workers' clocks from the coordinator's, in the order of the workers. */
    void clocks(List<Offset> ofWorkers) {
        if (senderClocks != null) {
            senderClocks.tell(ofWorkers);
        }
    }

    /** Creates missing clients, consumers first: they must receive everything that the producers send. */
    void grow(int toProducersPerTopic, int toConsumersPerSubscription) throws DriverException, InterruptedException {
        if (topology.hasConsumers()) {
            List<Topology.Consumer> missing = run.consumersHere(0, toConsumersPerSubscription).stream()
                    .filter(consumer -> !knownConsumers.get(consumer.id()))
                    .toList();
            create("consumers", missing, this::createConsumers);
        }
        List<Topology.Producer> missing = run.producersHere(0, toProducersPerTopic).stream()
                .filter(producer -> !knownProducers.get(producer.id()))
                .toList();
        create("producers", missing, this::createProducers);
        producersPerTopic = Math.max(producersPerTopic, toProducersPerTopic);
    }

    private interface CreateClients<T> {
        void create(List<T> some) throws DriverException, InterruptedException;
    }

    /** Creates clients in groups so that progress can be reported. */
    private <T> void create(String what, List<T> all, CreateClients<T> creation)
            throws DriverException, InterruptedException {
        for (int from = 0; from < all.size(); from += CLIENTS_AT_A_TIME) {
            progress.accept(String.format(Locale.ROOT, "%,d of %,d %s", from, all.size(), what));
            creation.create(all.subList(from, Math.min(all.size(), from + CLIENTS_AT_A_TIME)));
        }
    }

    private void createConsumers(List<Topology.Consumer> toCreate) throws DriverException, InterruptedException {
        List<ConsumerSpec> specs = new ArrayList<>();
        for (Topology.Consumer consumer : toCreate) {
            specs.add(new ConsumerSpec(
                    consumer.id(),
                    topic(consumer.topic()),
                    Topology.subscriptionName(consumer.subscription()),
                    newListener(consumer)));
        }
        List<BenchmarkConsumer> created =
                topology.consumesOnly() ? connection.createReaders(specs) : connection.createConsumers(specs);
        if (created.isEmpty()) {
            throw new DriverException(
                    "the content of the topic '" + specs.get(0).topic().name()
                            + "' cannot be consumed from its oldest message with this driver and configuration");
        }
        openConsumers.addAll(created);
        toCreate.forEach(consumer -> knownConsumers.set(consumer.id()));
        if (paused) {
            consume(created, false);
        }
    }

    private MessageListener newListener(Topology.Consumer consumer) {
        MessageListener receiver = newReceiver(consumer);
        Duration delay = options.consumerDelay();
        int runTag = run.runTag();
        return delay.isZero()
                ? receiver
                : new SlowListener(receiver, delay, payload -> MessageHeader.isProbe(payload, runTag));
    }

    private MessageListener newReceiver(Topology.Consumer consumer) {
        if (topology.consumesOnly()) {
            Consumed.ConsumerCounts counts = new Consumed.ConsumerCounts();
            consumed.add(counts);
            return new ForeignReceiver(consumer.subscription(), measurements, counts);
        }
        TopicSpec topic = topic(consumer.topic());
        SubscriptionAudit subscriptionAudit = subscriptionAudits.computeIfAbsent(
                consumer.topic() * topology.subscriptionCount() + consumer.subscription(),
                i -> new SubscriptionAudit(topic.name(), consumer.subscription()));
        ConsumerAudit audit = new ConsumerAudit(
                subscriptionAudit,
                topology.firstProducer(consumer.topic()),
                topology.producersPerTopic(),
                topology.partitionsTold());
        consumerAudits.add(audit);
        MessageReceiver receiver = new MessageReceiver(
                consumer.subscription(),
                run.messages().layout(),
                run.runTag(),
                audit,
                measurements,
                senderClocks,
                new MessageReceiver.ProbeListener() {
                    @Override
                    public void arrived(int partition, long series) {
                        probes.arrived(series, consumer.topic(), consumer.subscription(), partition);
                    }

                    @Override
                    public void changed(byte[] payload) {
                        probes.changed(payload);
                    }
                });
        MessageListener watched = availability == null ? receiver : availability.watch(receiver);
        return options.verifiesPayloads() ? new CheckingListener(watched, run.runTag(), audit, measurements) : watched;
    }

    private void createProducers(List<Topology.Producer> toCreate) throws DriverException, InterruptedException {
        List<BenchmarkProducer> created = connection.createProducers(toCreate.stream()
                .map(producer -> new ProducerSpec(producer.id(), topic(producer.topic()), headers))
                .toList());
        openProducers.addAll(created);
        for (int i = 0; i < created.size(); i++) {
            int id = toCreate.get(i).id();
            producers.add(newProducer(created.get(i), id));
            knownProducers.set(id);
        }
    }

    private LoadedProducer newProducer(BenchmarkProducer created, int id) {
        BenchmarkProducer watched = availability == null ? created : availability.watch(created, id);
        BenchmarkProducer sending = options.verifiesPayloads() ? new SealingProducer(watched) : watched;
        BenchmarkProducer client = options.inFlightLimit().isPresent()
                ? new WindowedProducer(sending, options.inFlightLimit().getAsInt())
                : sending;
        return new LoadedProducer(
                client, new ProducerAudit(id), measurements, run.messages().layout(), run.runTag());
    }

    /** Returns how many workers have producers, including this one if it has any. */
    int producingWorkers() {
        return run.placement().producingWorkers(topology.topicCount() * producersPerTopic);
    }

    List<LoadedProducer> producers() {
        return producers;
    }

    Probes probes() {
        return probes;
    }

    /**
     * Sends a round of probes to each topic that has a missing path and whose first producer is on this worker. Thus
     * one worker sends the probes of a topic, however many have producers for it.
     */
    void sendProbes(BitSet arrivedAnywhere) throws InterruptedException {
        for (LoadedProducer producer : producers) {
            int id = producer.audit().producer();
            int topic = id / topology.producersPerTopic();
            if (id == topology.firstProducer(topic) && probes.isMissing(topic, arrivedAnywhere)) {
                probes.send(producer.producer(), connection.payloadOwnership());
            }
        }
    }

    /** Pauses or resumes all consumers; those created later are paused as well if these are. */
    void consume(boolean delivered) throws DriverException, InterruptedException {
        paused = !delivered;
        consume(openConsumers, delivered);
    }

    private static void consume(List<BenchmarkConsumer> consumers, boolean delivered)
            throws DriverException, InterruptedException {
        for (BenchmarkConsumer consumer : consumers) {
            if (delivered) {
                consumer.resume();
            } else {
                consumer.pause();
            }
        }
    }

    /** Counts the messages of all topics that arrived at a subscription and are known to have arrived there before. */
    long duplicatesOf(int subscription) {
        long duplicates = 0;
        for (SubscriptionAudit audit : subscriptionAudits.values()) {
            if (audit.subscription() == subscription) {
                duplicates += audit.duplicatedSoFar();
            }
        }
        return duplicates;
    }

    /** Marks everything sent until now as part of a search; returns the producers' positions. */
    Map<Integer, Long> marks() {
        Map<Integer, Long> marks = new HashMap<>();
        producers.forEach(producer ->
                marks.put(producer.audit().producer(), producer.audit().endSearch()));
        return marks;
    }

    /** Audits separately what producers of all workers sent before the given positions. */
    void endSearch(Map<Integer, Long> marks) {
        long[] measuredFrom = new long[topology.producerCount()];
        marks.forEach((producer, mark) -> measuredFrom[producer] = mark);
        subscriptionAudits.values().forEach(audit -> audit.endSearch(measuredFrom));
    }

    /** Closes all clients, producers first, and returns their counts. */
    AuditPart close() throws DriverException {
        ParallelClose close = new ParallelClose();
        close.all(List.copyOf(openProducers));
        openProducers.clear();
        close.all(List.copyOf(openConsumers));
        openConsumers.clear();
        close.throwFirstFailure();
        consumerAudits.forEach(ConsumerAudit::close);
        consumerAudits.clear();
        if (topology.consumesOnly()) {
            return AuditPart.of(Consumed.of(consumed));
        }
        AuditPart part = new AuditPart(
                producers.stream()
                        .map(producer -> producer.audit().dispatches())
                        .toList(),
                subscriptionAudits.values().stream()
                        .map(SubscriptionAudit::arrivals)
                        .toList());
        return availability == null ? part : part.with(availability.seen());
    }
}
