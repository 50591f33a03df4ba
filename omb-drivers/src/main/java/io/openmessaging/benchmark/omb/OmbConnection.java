package io.openmessaging.benchmark.omb;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.DriverThreads;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection through a driver of OMB. All connections of a run in this process share an object of the driver's class,
 * as OMB's do: to initialize another one would remove what the first has created if the driver resets the system. Every
 * call of the driver is made on a thread of its own and has a limit, since such drivers promise none.
 */
final class OmbConnection implements DriverConnection {

    private static final Logger LOG = LoggerFactory.getLogger(OmbConnection.class);

    private final OmbFolder folder;
    private final OmbApi api;
    private final Use use;
    private final Opened opened;
    private final Object driver;
    private final int scratchBytes;
    private final DriverContext context;
    private final Calls calls;
    private final String prefix;
    private boolean closed;

    private OmbConnection(
            Use use, Opened opened, OmbFolder folder, OmbApi api, int scratchBytes, DriverContext context) {
        this.use = use;
        this.opened = opened;
        this.folder = folder;
        this.api = api;
        this.driver = opened.driver;
        this.prefix = opened.prefix;
        this.calls = opened.calls;
        this.scratchBytes = scratchBytes;
        this.context = context;
    }

    /** What an object of a driver is used for; all that have equal uses share it. */
    record Use(String runId, Class<?> type, String yaml) {}

    /** An object of a driver that is initialized. */
    static final class Opened {

        private final Object driver;
        private final Path configuration;
        private final String prefix;
        private final Calls calls;

        /** Topics that the object knows. */
        private final Set<String> known = ConcurrentHashMap.newKeySet();

        /** Connections that use it; under the lock of the folder's objects. */
        private int users;

        Opened(Object driver, Path configuration, String prefix, Calls calls) {
            this.driver = driver;
            this.configuration = configuration;
            this.prefix = prefix;
            this.calls = calls;
        }
    }

    static OmbConnection open(
            OmbFolder folder, OmbApi api, Constructor<?> constructor, OmbConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        Use use = new Use(context.runId(), constructor.getDeclaringClass(), config.yaml());
        Map<Use, Opened> all = folder.opened();
        synchronized (all) {
            Opened opened = all.get(use);
            if (opened == null) {
                opened = newObject(folder, api, constructor, config, context);
                all.put(use, opened);
            }
            opened.users++;
            return new OmbConnection(use, opened, folder, api, config.omb().scratchBytes(), context);
        }
    }

    private static Opened newObject(
            OmbFolder folder, OmbApi api, Constructor<?> constructor, OmbConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        Class<?> type = constructor.getDeclaringClass();
        Calls calls = new Calls("omb", DriverThreads.of(type), folder::reason);
        Path configuration = write(config.yaml());
        boolean open = false;
        try {
            Opened opened = calls.run(
                    "initialize the driver " + type.getSimpleName(),
                    Deadline.in(context.timeout()),
                    () -> {
                        Object driver = constructor.newInstance();
                        return initialized(driver, api, configuration, calls);
                    },
                    late -> closeLate(late.driver),
                    () -> {});
            open = true;
            return opened;
        } finally {
            if (!open) {
                delete(configuration);
            }
        }
    }

    private static Opened initialized(Object driver, OmbApi api, Path configuration, Calls calls) throws Exception {
        boolean initialized = false;
        try {
            api.initialize(driver, configuration.toFile());
            String prefix = api.topicNamePrefix(driver);
            initialized = true;
            return new Opened(driver, configuration, prefix, calls);
        } finally {
            if (!initialized) {
                closeLate(driver);
            }
        }
    }

    /** Writes the file that the driver reads, for its user only, since it may contain secrets. */
    private static Path write(String yaml) throws DriverException {
        try {
            // Files.createTempFile gives access to the owner only.
            Path file = Files.createTempFile("omb-driver-", ".yaml");
            return Files.writeString(file, yaml);
        } catch (IOException e) {
            throw new DriverException("Could not write the configuration of the driver to a temporary file: " + e, e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("The temporary file {} could not be deleted", file, e);
        }
    }

    private static void closeLate(Object client) {
        try {
            ((AutoCloseable) client).close();
        } catch (Exception e) {
            LOG.warn("A client that is not needed any more could not be closed", e);
        }
    }

    @Override
    public BrokerDescription describeBroker() throws DriverException {
        Map<String, String> settings = new TreeMap<>();
        settings.put("guarantee", "unknown: acknowledged as the driver says");
        settings.put("partitions of received messages", "unknown: their order is not judged");
        settings.put(
                "topics after the run",
                "remain, named " + prefix + "-…" + context.runId() + "…: OMB's API cannot delete them");
        settings.put("methods of OMB's API", api.methods());
        folder.hashes().forEach((jar, hash) -> settings.put("SHA-256 of " + jar, hash));
        return new BrokerDescription(
                driver.getClass().getSimpleName().replace("BenchmarkDriver", ""), "unknown", List.of(), settings);
    }

    @Override
    public PayloadOwnership payloadOwnership() {
        return PayloadOwnership.KEPT_AFTER_SEND;
    }

    private String name(TopicSpec topic) {
        return prefix + "-" + topic.name();
    }

    @Override
    public void createTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
        List<OmbApi.Topic> all = topics.stream()
                .map(topic -> new OmbApi.Topic(name(topic), topic.partitions()))
                .toList();
        Deadline deadline = Deadline.in(context.timeout());
        calls.run("create " + counted(topics.size(), "topic"), deadline, () -> awaitAll(api.createTopics(driver, all)));
        announce(topics, deadline);
    }

    /** Tells this object of the driver which topics exist: another worker's may have created them. */
    private void announce(Collection<TopicSpec> topics, Deadline deadline)
            throws DriverException, InterruptedException {
        List<OmbApi.Topic> unknown = topics.stream()
                .distinct()
                .filter(topic -> !opened.known.contains(topic.name()))
                .map(topic -> new OmbApi.Topic(name(topic), topic.partitions()))
                .toList();
        calls.run(
                "tell the driver of " + counted(unknown.size(), "topic"),
                deadline,
                () -> awaitAll(api.notifyTopicCreation(driver, unknown)));
        topics.forEach(topic -> opened.known.add(topic.name()));
    }

    private static String counted(int count, String thing) {
        return count + " " + thing + (count == 1 ? "" : "s");
    }

    private static void awaitAll(List<CompletableFuture<?>> answers) throws InterruptedException, ExecutionException {
        for (CompletableFuture<?> answer : answers) {
            answer.get();
        }
    }

    /** Keeps the topics: OMB's API has no call for it. */
    @Override
    public void deleteTopics(List<TopicSpec> topics) {
        if (!topics.isEmpty()) {
            LOG.warn(
                    "{} topics remain in the system, since OMB's API cannot delete them: {} to {}",
                    topics.size(),
                    name(topics.get(0)),
                    name(topics.get(topics.size() - 1)));
        }
    }

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> producers)
            throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        announce(producers.stream().map(ProducerSpec::topic).toList(), deadline);
        List<OmbApi.Producer> all = producers.stream()
                .map(spec -> new OmbApi.Producer(spec.id(), name(spec.topic())))
                .toList();
        List<BenchmarkProducer> created = new ArrayList<>();
        for (Object producer : create(
                "create " + counted(all.size(), "producer"),
                deadline,
                all.size(),
                () -> api.createProducers(driver, all))) {
            created.add(new OmbProducer(api, producer, scratchBytes, calls, context.timeout()));
        }
        return created;
    }

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> consumers)
            throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        announce(consumers.stream().map(ConsumerSpec::topic).toList(), deadline);
        List<OmbConsumer> created = consumers.stream()
                .map(spec -> new OmbConsumer(spec, scratchBytes, calls, context.events()))
                .toList();
        List<OmbApi.Consumer> all = new ArrayList<>();
        for (int i = 0; i < created.size(); i++) {
            ConsumerSpec spec = consumers.get(i);
            all.add(new OmbApi.Consumer(spec.id(), name(spec.topic()), spec.subscription(), created.get(i)));
        }
        boolean complete = false;
        try {
            List<Object> clients = create(
                    "create " + counted(all.size(), "consumer"),
                    deadline,
                    all.size(),
                    () -> api.createConsumers(driver, all));
            for (int i = 0; i < created.size(); i++) {
                created.get(i).reads(clients.get(i));
            }
            complete = true;
            return List.copyOf(created);
        } finally {
            if (!complete) {
                created.forEach(OmbConsumer::ignoreMessages);
            }
        }
    }

    /** Creates clients, all or none. */
    private List<Object> create(
            String attempt, Deadline deadline, int count, Callable<List<CompletableFuture<?>>> creation)
            throws DriverException, InterruptedException {
        return calls.run(
                attempt,
                deadline,
                () -> clients(creation.call(), count),
                late -> late.forEach(OmbConnection::closeLate),
                () -> {});
    }

    /** Waits for all clients; if one fails, the others are closed, also those that are created later. */
    private static List<Object> clients(List<CompletableFuture<?>> answers, int count)
            throws DriverException, InterruptedException, ExecutionException {
        boolean complete = false;
        try {
            List<Object> clients = new ArrayList<>();
            for (CompletableFuture<?> answer : answers) {
                clients.addAll(clientsIn(answer.get()));
            }
            if (clients.size() != count) {
                throw new DriverException("The driver created " + clients.size() + " of " + count + " clients");
            }
            complete = true;
            return clients;
        } finally {
            if (!complete) {
                for (CompletableFuture<?> answer : answers) {
                    CompletableFuture<?> unused =
                            answer.thenAccept(created -> clientsIn(created).forEach(OmbConnection::closeLate));
                }
            }
        }
    }

    private static List<Object> clientsIn(@Nullable Object created) {
        List<Object> clients = new ArrayList<>();
        if (created instanceof List<?> several) {
            clients.addAll(several);
        } else if (created != null) {
            clients.add(created);
        }
        return clients;
    }

    /** The last connection that uses the driver's object closes it. */
    @Override
    public void close() throws DriverException {
        Map<Use, Opened> all = folder.opened();
        synchronized (all) {
            boolean last = !closed && --opened.users == 0;
            closed = true;
            if (!last) {
                return;
            }
            all.remove(use);
        }
        try {
            calls.run("close the driver", Deadline.in(context.timeout()), () -> ((AutoCloseable) driver).close());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            delete(opened.configuration);
        }
    }
}
