package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.audit.ConsumerAudit;
import io.openmessaging.benchmark.audit.ProducerAudit;
import io.openmessaging.benchmark.audit.SubscriptionAudit;
import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.load.CheckingListener;
import io.openmessaging.benchmark.load.LoadedProducer;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.MessageReceiver;
import io.openmessaging.benchmark.load.SealingProducer;
import io.openmessaging.benchmark.load.SlowListener;
import io.openmessaging.benchmark.load.WindowedProducer;
import io.openmessaging.benchmark.measure.Measurements;
import io.openmessaging.benchmark.worker.protocol.ClientOptions;
import io.openmessaging.benchmark.worker.protocol.RunDescription;
import io.openmessaging.benchmark.worker.protocol.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A worker's producers and consumers, each with what it counts. Used by the worker's control thread. */
final class Clients {

    private final RunDescription run;
    private final Topology topology;

    /** Made once: each has a name, which all clients of a topic share. */
    private final List<TopicSpec> topics;

    private final ClientOptions options;
    private final DriverConnection connection;
    private final Measurements measurements;
    private final Probes probes;
    private final List<LoadedProducer> producers = new ArrayList<>();
    private final List<BenchmarkProducer> openProducers = new ArrayList<>();
    private final List<BenchmarkConsumer> openConsumers = new ArrayList<>();
    private final List<ConsumerAudit> consumerAudits = new ArrayList<>();
    private final Map<Integer, SubscriptionAudit> subscriptionAudits = new HashMap<>();
    private int producersPerTopic;
    private int consumersPerSubscription;
    private boolean paused;

    Clients(RunDescription run, DriverConnection connection, Measurements measurements) {
        this.run = run;
        this.topology = run.topology();
        this.topics = topology.topics();
        this.options = run.clients();
        this.connection = connection;
        this.measurements = measurements;
        this.probes = new Probes(run.runTag(), topology);
    }

    /** Creates those that are missing, consumers first: what producers send is to reach them. */
    void grow(int toProducersPerTopic, int toConsumersPerSubscription) throws DriverException, InterruptedException {
        if (topology.hasConsumers() && toConsumersPerSubscription > consumersPerSubscription) {
            createConsumers(topology.consumers(consumersPerSubscription, toConsumersPerSubscription));
            consumersPerSubscription = toConsumersPerSubscription;
        }
        if (toProducersPerTopic > producersPerTopic) {
            createProducers(topology.producers(producersPerTopic, toProducersPerTopic));
            producersPerTopic = toProducersPerTopic;
        }
    }

    private void createConsumers(List<Topology.Consumer> toCreate) throws DriverException, InterruptedException {
        List<ConsumerSpec> specs = new ArrayList<>();
        for (Topology.Consumer consumer : toCreate) {
            specs.add(new ConsumerSpec(
                    consumer.id(),
                    topics.get(consumer.topic()),
                    Topology.subscriptionName(consumer.subscription()),
                    newListener(consumer)));
        }
        List<BenchmarkConsumer> created = connection.createConsumers(specs);
        openConsumers.addAll(created);
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
        TopicSpec topic = topics.get(consumer.topic());
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
                run.messages().layout(),
                run.runTag(),
                audit,
                measurements,
                null,
                partition -> probes.arrived(consumer.topic(), consumer.subscription(), partition));
        return options.verifiesPayloads()
                ? new CheckingListener(receiver, run.runTag(), audit, measurements)
                : receiver;
    }

    private void createProducers(List<ProducerSpec> toCreate) throws DriverException, InterruptedException {
        List<BenchmarkProducer> created = connection.createProducers(toCreate);
        openProducers.addAll(created);
        for (int i = 0; i < created.size(); i++) {
            producers.add(newProducer(created.get(i), toCreate.get(i).id()));
        }
    }

    private LoadedProducer newProducer(BenchmarkProducer created, int id) {
        BenchmarkProducer sending = options.verifiesPayloads() ? new SealingProducer(created) : created;
        BenchmarkProducer client = options.inFlightLimit().isPresent()
                ? new WindowedProducer(sending, options.inFlightLimit().getAsInt())
                : sending;
        return new LoadedProducer(
                client, new ProducerAudit(id), measurements, run.messages().layout(), run.runTag());
    }

    /** Those that a load sends with. */
    List<LoadedProducer> producers() {
        return producers;
    }

    Probes probes() {
        return probes;
    }

    /** Sends a round of probes to each topic of which a way is missing, through one of its producers. */
    void sendProbes(BitSet arrivedAnywhere) throws InterruptedException {
        BitSet probed = new BitSet();
        for (LoadedProducer producer : producers) {
            int topic = producer.audit().producer() / topology.producersPerTopic();
            if (!probed.get(topic) && probes.isMissing(topic, arrivedAnywhere)) {
                probes.send(producer.producer(), connection.payloadOwnership());
            }
            probed.set(topic);
        }
    }

    /** Pauses all consumers, and those that come later, or lets all go on. */
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

    /** How many arrivals at a subscription are known to be of messages that had arrived before, of all topics together. */
    long duplicatesOf(int subscription) {
        return subscriptionAudits.values().stream()
                .filter(audit -> audit.subscription() == subscription)
                .mapToLong(SubscriptionAudit::duplicatedSoFar)
                .sum();
    }

    /** What was sent until now is audited apart. */
    void endSearch() {
        long[] measuredFrom = new long[topology.producerCount()];
        producers.forEach(producer ->
                measuredFrom[producer.audit().producer()] = producer.audit().endSearch());
        subscriptionAudits.values().forEach(audit -> audit.endSearch(measuredFrom));
    }

    /** Closes all, producers first, and tells what they have counted. */
    AuditPart close() throws DriverException {
        ParallelClose close = new ParallelClose();
        close.all(List.copyOf(openProducers));
        openProducers.clear();
        close.all(List.copyOf(openConsumers));
        openConsumers.clear();
        close.throwFirstFailure();
        consumerAudits.forEach(ConsumerAudit::close);
        consumerAudits.clear();
        return new AuditPart(
                producers.stream()
                        .map(producer -> producer.audit().dispatches())
                        .toList(),
                subscriptionAudits.values().stream()
                        .map(SubscriptionAudit::arrivals)
                        .toList());
    }
}
