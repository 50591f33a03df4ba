package io.openmessaging.benchmark.driver.nats;

import static io.openmessaging.benchmark.driver.nats.NatsCalls.CALLS;
import static io.openmessaging.benchmark.driver.nats.NatsCalls.THREADS;

import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.ServerInfo;
import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.ConsumerGroup;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.ManyCalls;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.nats.NatsConfig.NatsMode;
import io.openmessaging.benchmark.driver.nats.NatsConfig.Retention;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The control plane of one run, with the connections of its producers and consumers. */
final class NatsDriverConnection implements DriverConnection {

    private static final long LOOK_PERIOD_MS = 250;

    private final NatsConfig config;
    private final DriverContext context;
    private final NatsLink control;
    private final Pool producerLinks = new Pool();
    private final Pool consumerLinks = new Pool();
    private final List<NatsProducer> producers = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService looks =
            Executors.newSingleThreadScheduledExecutor(THREADS.named("nats-looks"));
    private final boolean hasJetStream;
    private @Nullable Streams streams;

    NatsDriverConnection(NatsConfig config, DriverContext context, NatsLink control) {
        this.config = config;
        this.context = context;
        this.control = control;
        this.hasJetStream = control.connection().getServerInfo().isJetStreamAvailable();
        Runnable look = () -> producers.forEach(producer -> producer.look(System.nanoTime()));
        ScheduledFuture<?> unused =
                looks.scheduleAtFixedRate(look, LOOK_PERIOD_MS, LOOK_PERIOD_MS, TimeUnit.MILLISECONDS);
    }

    /** Connections that several clients share, each opened when it is needed. */
    private final class Pool {

        private final List<NatsLink> links = new ArrayList<>();
        private int next;

        NatsLink take() throws DriverException, InterruptedException {
            if (links.size() < config.maxConnections()) {
                links.add(NatsLink.open(config, config.servers(), context));
                return links.get(links.size() - 1);
            }
            next = (next + 1) % links.size();
            return links.get(next);
        }

        void close() {
            links.forEach(NatsLink::close);
        }
    }

    // The system

    @Override
    public BrokerDescription describeBroker() throws DriverException, InterruptedException {
        Connection connection = control.connection();
        ServerInfo server = connection.getServerInfo();
        Map<String, String> settings = new TreeMap<>();
        settings.put("max_payload", Long.toString(server.getMaxPayload()));
        settings.put("jetstream", Boolean.toString(server.isJetStreamAvailable()));
        if (server.getCluster() != null) {
            settings.put("cluster", server.getCluster());
        }
        List<Duration> syncIntervals = syncIntervals();
        if (!syncIntervals.isEmpty()) {
            settings.put(
                    "sync_interval",
                    String.join(
                            ", ",
                            syncIntervals.stream()
                                    .map(interval -> interval.isZero() ? "always" : interval.toSeconds() + "s")
                                    .distinct()
                                    .toList()));
        }
        return new BrokerDescription("NATS", server.getVersion(), nodes(server), settings)
                .promising(guarantee(syncIntervals));
    }

    private Guarantee guarantee(List<Duration> syncIntervals) throws DriverException, InterruptedException {
        return config.mode() == NatsMode.CORE
                ? NatsGuarantee.OF_SUBJECTS
                : NatsGuarantee.of(
                        CALLS.ask(
                                "read how the streams are kept",
                                Deadline.in(context.timeout()),
                                () -> streams().configurations()),
                        syncIntervals,
                        config.acknowledge());
    }

    /** Returns what the monitoring endpoints tell; empty if one of them is silent, or there is none. */
    private List<Duration> syncIntervals() throws DriverException, InterruptedException {
        List<Duration> intervals = new ArrayList<>();
        for (NatsMonitor monitor : config.monitors(context.timeout())) {
            try {
                NatsMonitor.FilePolicy policy = CALLS.ask(
                        "ask the monitoring endpoint " + monitor.url(),
                        Deadline.in(context.timeout()),
                        monitor::filePolicy);
                if (policy == null) {
                    return List.of();
                }
                intervals.add(policy.syncInterval());
            } catch (DriverException e) {
                return List.of();
            }
        }
        return intervals;
    }

    /** Returns the servers of the cluster as they name themselves, or the one server. */
    private List<String> nodes(ServerInfo server) {
        List<String> known = server.getConnectURLs();
        return known == null || known.isEmpty()
                ? config.servers().subList(0, 1)
                : known.stream().sorted().toList();
    }

    @Override
    public PayloadOwnership payloadOwnership() {
        return PayloadOwnership.KEPT_AFTER_SEND;
    }

    // Topics

    /** Called by several threads at once. */
    private synchronized Streams streams() throws IOException {
        if (streams == null) {
            streams = new Streams(
                    config,
                    control.connection()
                            .jetStreamManagement(JetStreamOptions.builder()
                                    .requestTimeout(NatsCalls.answerWithin(context.timeout()))
                                    .build()),
                    context.runId());
        }
        return streams;
    }

    @Override
    public void createTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        if (config.mode() == NatsMode.CORE) {
            CALLS.run("reach NATS", deadline, () -> control.flush(deadline));
            return;
        }
        ManyCalls.forEach(
                CALLS,
                "create " + topics.size() + " streams",
                topics,
                deadline,
                topic -> run(
                        (topic.existing() ? "use the existing stream '" : "create the stream '") + topic.name() + "'",
                        deadline,
                        () -> streams().create(topic)));
    }

    @Override
    public void deleteTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        if (config.mode() == NatsMode.CORE) {
            return;
        }
        Deadline deadline = Deadline.in(context.timeout());
        ManyCalls.forEach(
                CALLS,
                "delete " + topics.size() + " streams",
                topics,
                deadline,
                topic -> run(
                        "delete the stream '" + topic.name() + "'",
                        deadline,
                        () -> streams().delete(topic)));
    }

    /** Repeats a request only where JetStream was when the run connected: elsewhere, nobody will ever answer. */
    private void run(String attempt, Deadline deadline, Calls.Action action)
            throws DriverException, InterruptedException {
        CALLS.run(attempt, deadline, hasJetStream ? NatsCalls.repeated(action, deadline) : action);
    }

    /** Returns the servers that lead the streams: all partitions of a topic are in one stream. */
    @Override
    public List<List<String>> leaders(List<TopicSpec> topics) throws DriverException, InterruptedException {
        if (config.mode() == NatsMode.CORE
                || control.connection().getServerInfo().getCluster() == null) {
            return List.of();
        }
        Map<String, String> addresses = addressesByName();
        Deadline deadline = Deadline.in(context.timeout());
        List<List<String>> leaders = new ArrayList<>();
        for (TopicSpec topic : topics) {
            String leader = CALLS.ask("find the leader of the stream '" + topic.name() + "'", deadline, () -> {
                String name = streams().leader(topic);
                return name == null ? "" : name;
            });
            if (!leader.isEmpty() && !addresses.containsKey(leader)) {
                return List.of();
            }
            leaders.add(Collections.nCopies(topic.partitions(), addresses.getOrDefault(leader, "")));
        }
        return leaders;
    }

    /** Asks each server for its name, which is what the leader of a stream is known by. */
    private Map<String, String> addressesByName() throws InterruptedException {
        Map<String, String> addresses = new HashMap<>();
        for (String node : nodes(control.connection().getServerInfo())) {
            try (NatsLink link = NatsLink.open(config, List.of(node), context)) {
                addresses.put(link.connection().getServerInfo().getServerName(), node);
            } catch (DriverException e) {
                // The name of this server stays unknown.
            }
        }
        return addresses;
    }

    // Producers

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> specs)
            throws DriverException, InterruptedException {
        List<NatsProducer> created = ManyCalls.inTurn(specs, this::producer, NatsProducer::abort);
        producers.addAll(created);
        return List.copyOf(created);
    }

    private NatsProducer producer(ProducerSpec spec) throws DriverException, InterruptedException {
        NatsLink link = producerLinks.take();
        Deadline deadline = Deadline.in(context.timeout());
        String attempt = "create a producer of topic '" + spec.topic().name() + "'";
        return CALLS.run(
                attempt,
                deadline,
                () -> {
                    NatsProducer producer = config.mode() == NatsMode.CORE
                            ? new SubjectProducer(spec, config, link, context.timeout())
                            : new StreamProducer(spec, streams().subjects(spec.topic()), config, link, context);
                    link.watch(producer);
                    link.flush(deadline);
                    return producer;
                },
                NatsProducer::abort,
                () -> {});
    }

    // Consumers

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        return consumers(specs, false);
    }

    @Override
    public List<BenchmarkConsumer> createReaders(List<ConsumerSpec> specs)
            throws DriverException, InterruptedException {
        boolean existing = specs.stream().allMatch(spec -> spec.topic().existing());
        return config.keepsConsumed() || existing ? consumers(specs, true) : List.of();
    }

    private List<BenchmarkConsumer> consumers(List<ConsumerSpec> specs, boolean fromOldest)
            throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        List<ConsumerGroup> groups = ConsumerGroup.of(specs);
        if (config.mode() == NatsMode.JETSTREAM) {
            if (config.retention() == Retention.WORK_QUEUE) {
                ConsumerGroup.requireOneEach(groups);
            }
            ManyCalls.forEach(
                    CALLS,
                    "create " + groups.size() + " durable consumers",
                    groups,
                    deadline,
                    group -> run(
                            "create the durable consumer '" + group.subscription() + "' of the stream '"
                                    + group.topic().name() + "'",
                            deadline,
                            () -> streams().subscribe(group, fromOldest)));
        }
        List<NatsConsumer> created = ManyCalls.inTurn(specs, spec -> consumer(spec, deadline), NatsConsumer::abort);
        created.forEach(NatsConsumer::start);
        return List.copyOf(created);
    }

    /** Creates a consumer whose subscription the server knows, but which does not read yet. */
    private NatsConsumer consumer(ConsumerSpec spec, Deadline deadline) throws DriverException, InterruptedException {
        NatsLink link = consumerLinks.take();
        String attempt =
                "open consumer " + spec.id() + " of topic '" + spec.topic().name() + "'";
        return CALLS.run(
                attempt,
                deadline,
                () -> {
                    Feed feed = config.mode() == NatsMode.CORE
                            ? new Feed.Pushed(link, Subjects.all(spec.topic()), spec.subscription(), false, false)
                            : streams().feed(spec.topic(), spec.subscription(), link);
                    NatsConsumer consumer = new NatsConsumer(spec, link, feed, context, config);
                    consumer.open();
                    link.flush(deadline);
                    return consumer;
                },
                NatsConsumer::abort,
                () -> {});
    }

    @Override
    public void close() {
        looks.shutdownNow();
        producerLinks.close();
        consumerLinks.close();
        control.close();
    }
}
