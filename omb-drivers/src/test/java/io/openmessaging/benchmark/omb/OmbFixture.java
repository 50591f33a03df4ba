package io.openmessaging.benchmark.omb;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Folders with drivers as OMB's users have them: an API of one of its generations, and a driver built against it, which
 * passes messages on inside the process. Both are compiled for the test.
 */
public final class OmbFixture {

    /** The class of the driver. */
    public static final String DRIVER = "example.queue.QueueBenchmarkDriver";

    /** A generation of OMB's driver API. */
    public enum Generation {
        OF_2018,
        /** A fork of 2020 whose drivers are told of topics. */
        NOTIFYING,
        /** A fork of 2020 whose consumers may read one partition. */
        OF_PARTITIONS,
        WITH_BUFFERS,
        WITH_TOPIC_LISTS,
        WITH_LISTS,
        /** Has methods with other parameters, which the harness does not know. */
        UNKNOWN;

        private boolean hasBuffers() {
            return compareTo(WITH_BUFFERS) >= 0;
        }
    }

    private static final String API = "io.openmessaging.benchmark.driver";

    private OmbFixture() {}

    /** Installs a driver and its API as two jars in a new folder. */
    public static Path install(Path folder, Generation generation) throws IOException {
        return install(folder, Map.of("api.jar", api(generation), "queue.jar", driver(generation)));
    }

    /**
     * Compiles and installs several jars in a new folder.
     *
     * @param jars sources by name of class, by name of the jar
     */
    static Path install(Path folder, Map<String, Map<String, String>> jars) throws IOException {
        Files.createDirectories(folder);
        Path work = Files.createTempDirectory("omb-fixture");
        try {
            Map<String, String> all = new LinkedHashMap<>();
            jars.values().forEach(all::putAll);
            compile(work, all);
            for (Map.Entry<String, Map<String, String>> jar : jars.entrySet()) {
                pack(
                        folder.resolve(jar.getKey()),
                        work.resolve("classes"),
                        List.copyOf(jar.getValue().keySet()));
            }
        } finally {
            deleteTree(work);
        }
        return folder;
    }

    private static void compile(Path work, Map<String, String> sources) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none",
                "-nowarn",
                "-cp",
                "",
                "-d",
                work.resolve("classes").toString()));
        for (Map.Entry<String, String> source : sources.entrySet()) {
            int dot = source.getKey().lastIndexOf('.');
            Path file = work.resolve(source.getKey().replace('.', '/') + ".java");
            Files.createDirectories(file.getParent());
            Files.writeString(file, "package " + source.getKey().substring(0, dot) + ";\n" + source.getValue());
            arguments.add(file.toString());
        }
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        InputStream.nullInputStream(),
                        OutputStream.nullOutputStream(),
                        System.err,
                        arguments.toArray(String[]::new));
        if (result != 0) {
            throw new IllegalArgumentException("The driver of the test cannot be compiled: " + sources.keySet());
        }
    }

    private static void pack(Path jar, Path classes, List<String> names) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                String entry = classes.relativize(file).toString();
                String type = entry.replaceFirst("(\\$.*)?\\.class$", "").replace('/', '.');
                if (names.contains(type)) {
                    out.putNextEntry(new JarEntry(entry));
                    Files.copy(file, out);
                    out.closeEntry();
                }
            }
        }
    }

    private static void deleteTree(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Returns the sources of the API, by name of class. */
    static Map<String, String> api(Generation generation) {
        Map<String, String> sources = new LinkedHashMap<>();
        sources.put(API + ".BenchmarkDriver", driverInterface(generation));
        sources.put(API + ".BenchmarkProducer", """
                import java.util.Optional;
                import java.util.concurrent.CompletableFuture;
                public interface BenchmarkProducer extends AutoCloseable {
                    CompletableFuture<Void> sendAsync(Optional<String> key, byte[] payload);
                }
                """);
        sources.put(API + ".BenchmarkConsumer", "public interface BenchmarkConsumer extends AutoCloseable {}");
        sources.put(
                API + ".ConsumerCallback",
                "public interface ConsumerCallback { void messageReceived(byte[] payload, long publishTimestamp);"
                        + (generation.hasBuffers()
                                ? "void messageReceived(java.nio.ByteBuffer payload, long publishTimestamp);"
                                : "")
                        + (generation == Generation.OF_PARTITIONS ? "void error();" : "")
                        + "}");
        sources.put("org.apache.bookkeeper.stats.StatsLogger", "public interface StatsLogger {}");
        sources.put(
                "org.apache.bookkeeper.stats.NullStatsLogger",
                "public class NullStatsLogger implements StatsLogger {"
                        + " public static final NullStatsLogger INSTANCE = new NullStatsLogger(); }");
        return sources;
    }

    private static String driverInterface(Generation generation) {
        return """
                import java.io.File;
                import java.io.IOException;
                import java.util.*;
                import java.util.concurrent.CompletableFuture;
                import org.apache.bookkeeper.stats.StatsLogger;
                public interface BenchmarkDriver extends AutoCloseable {
                    void initialize(File configurationFile, StatsLogger statsLogger) throws IOException, InterruptedException;
                    String getTopicNamePrefix();
                    CompletableFuture<BenchmarkProducer> createProducer(String topic);
                """
                + switch (generation) {
                    case OF_2018, WITH_BUFFERS -> ONE_TOPIC + ONE_CONSUMER;
                    case NOTIFYING ->
                        ONE_TOPIC
                                + ONE_CONSUMER
                                + "CompletableFuture<Void> notifyTopicCreation(String topic, int partitions);";
                    case OF_PARTITIONS ->
                        ONE_TOPIC
                                + "CompletableFuture<BenchmarkConsumer> createConsumer(String topic, String subscription,"
                                + " Optional<Integer> partition, ConsumerCallback callback);";
                    case WITH_TOPIC_LISTS -> ONE_TOPIC + ONE_CONSUMER + TOPIC_LIST;
                    case WITH_LISTS -> ONE_TOPIC + ONE_CONSUMER + TOPIC_LIST + CLIENT_LISTS;
                    case UNKNOWN ->
                        "CompletableFuture<Void> createTopic(String topic, int partitions, String[] columns);"
                                + ONE_CONSUMER;
                }
                + "}";
    }

    private static final String ONE_TOPIC = "CompletableFuture<Void> createTopic(String topic, int partitions);";
    private static final String ONE_CONSUMER =
            "CompletableFuture<BenchmarkConsumer> createConsumer(String topic, String subscription,"
                    + " ConsumerCallback callback);";

    /** As in the generation, a driver of an older one works: the lists are passed on one by one. */
    private static final String TOPIC_LIST = """
            default CompletableFuture<Void> createTopics(List<TopicInfo> topics) {
                return CompletableFuture.allOf(topics.stream()
                        .map(topic -> createTopic(topic.topic, topic.partitions)).toArray(CompletableFuture[]::new));
            }
            class TopicInfo {
                public final String topic;
                public final int partitions;
                public TopicInfo(String topic, int partitions) { this.topic = topic; this.partitions = partitions; }
            }
            """;

    private static final String CLIENT_LISTS = """
            CompletableFuture<List<BenchmarkProducer>> createProducers(List<ProducerInfo> producers);
            CompletableFuture<List<BenchmarkConsumer>> createConsumers(List<ConsumerInfo> consumers);
            class ProducerInfo {
                public final int id;
                public final String topic;
                public ProducerInfo(int id, String topic) { this.id = id; this.topic = topic; }
            }
            class ConsumerInfo {
                public final int id;
                public final String topic;
                public final String subscription;
                public final ConsumerCallback callback;
                public ConsumerInfo(int id, String topic, String subscription, ConsumerCallback callback) {
                    this.id = id;
                    this.topic = topic;
                    this.subscription = subscription;
                    this.callback = callback;
                }
            }
            """;

    /**
     * Returns the sources of the driver, by name of class. Keys of its file make it misbehave: {@code throwIn}, {@code
     * hangIn}, {@code neverIn} (a future that does not complete), {@code nullIn} and {@code failIn} name a call, and
     * {@code habit} is {@code overwrites}, {@code threads}, {@code buffers} or {@code errors}. With {@code folder}, messages go through files there, to the only consumer of each
     * subscription in any process.
     */
    static Map<String, String> driver(Generation generation) {
        Map<String, String> sources = new LinkedHashMap<>();
        sources.put(DRIVER, DRIVER_SOURCE.replace("/*more*/", driverMethods(generation)));
        sources.put("example.queue.QueueProducer", PRODUCER_SOURCE);
        sources.put(
                "example.queue.QueueConsumer",
                CONSUMER_SOURCE
                        .replace(
                                "/*buffer*/",
                                generation.hasBuffers() ? "callback.messageReceived(reused(payload), 0);" : "")
                        .replace("/*error*/", generation == Generation.OF_PARTITIONS ? "callback.error();" : ""));
        return sources;
    }

    private static String driverMethods(Generation generation) {
        String one = """
                public CompletableFuture<BenchmarkConsumer> createConsumer(String topic, String subscription,
                        ConsumerCallback callback) {
                    return consumer(topic, subscription, callback);
                }
                """;
        String topic = """
                public CompletableFuture<Void> createTopic(String topic, int partitions) {
                    CALLS.add("createTopic(" + topic + ", " + partitions + ")");
                    create(topic);
                    return answer("createTopic", null);
                }
                """;
        return switch (generation) {
            case OF_2018, WITH_BUFFERS -> topic + one;
            case NOTIFYING -> topic + one + """
                    public CompletableFuture<Void> notifyTopicCreation(String topic, int partitions) {
                        CALLS.add("notifyTopicCreation(" + topic + ", " + partitions + ")");
                        return answer("notifyTopicCreation", null);
                    }
                    """;
            case OF_PARTITIONS -> topic + """
                    public CompletableFuture<BenchmarkConsumer> createConsumer(String topic, String subscription,
                            Optional<Integer> partition, ConsumerCallback callback) {
                        CALLS.add("createConsumer(" + topic + ", " + partition + ")");
                        return consumer(topic, subscription, callback);
                    }
                    """;
            case WITH_TOPIC_LISTS -> topic + one + """
                    public CompletableFuture<Void> createTopics(List<TopicInfo> topics) {
                        topics.forEach(topic -> CALLS.add("createTopics(" + topic.topic + ", " + topic.partitions + ")"));
                        return answer("createTopic", null);
                    }
                    """;
            case WITH_LISTS -> topic + one + """
                    public CompletableFuture<List<BenchmarkProducer>> createProducers(List<ProducerInfo> producers) {
                        List<BenchmarkProducer> all = new ArrayList<>();
                        for (ProducerInfo info : producers) {
                            CALLS.add("createProducers(" + info.id + ", " + info.topic + ")");
                            all.add(new QueueProducer(this, info.topic));
                        }
                        return answer("createProducer", all);
                    }
                    public CompletableFuture<List<BenchmarkConsumer>> createConsumers(List<ConsumerInfo> consumers) {
                        List<BenchmarkConsumer> all = new ArrayList<>();
                        for (ConsumerInfo info : consumers) {
                            CALLS.add("createConsumers(" + info.id + ", " + info.topic + ", " + info.subscription + ")");
                            all.add(new QueueConsumer(this, info.topic, info.subscription, info.callback));
                        }
                        return answer("createConsumer", all);
                    }
                    """;
            case UNKNOWN -> one + """
                    public CompletableFuture<Void> createTopic(String topic, int partitions, String[] columns) {
                        return answer("createTopic", null);
                    }
                    """;
        };
    }

    private static final String DRIVER_SOURCE = """
            import io.openmessaging.benchmark.driver.*;
            import java.io.File;
            import java.io.IOException;
            import java.nio.file.Files;
            import java.nio.file.Path;
            import java.util.*;
            import java.util.concurrent.*;
            import org.apache.bookkeeper.stats.StatsLogger;

            public class QueueBenchmarkDriver implements BenchmarkDriver {
                static final Map<String, Map<String, BlockingQueue<byte[]>>> TOPICS = new ConcurrentHashMap<>();
                public static final List<String> CALLS = new CopyOnWriteArrayList<>();
                private String configuration = "";

                public void initialize(File file, StatsLogger logger) throws IOException, InterruptedException {
                    configuration = Files.readString(file.toPath());
                    CALLS.add("initialize(" + configuration.strip() + ", "
                            + (logger == null ? "null" : logger.getClass().getSimpleName()) + ", "
                            + Files.getPosixFilePermissions(file.toPath()).size() + " permissions, "
                            + (Thread.currentThread().getContextClassLoader() == getClass().getClassLoader()) + ", "
                            + file + ")");
                    for (File topic : resets() ? folder().toFile().listFiles() : new File[0]) {
                        topic.delete();
                    }
                    before("initialize");
                }

                boolean resets() {
                    return configuration.contains("\\"reset\\": true");
                }

                void create(String topic) {
                    try {
                        if (resets()) {
                            Files.createFile(folder().resolve(topic));
                        }
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                }

                Path folder() {
                    int at = configuration.indexOf("\\"folder\\": \\"");
                    int from = at + "\\"folder\\": \\"".length();
                    return at < 0 ? null : Path.of(configuration.substring(from, configuration.indexOf('"', from)));
                }

                boolean says(String key, String value) {
                    return configuration.contains('"' + key + "\\": \\"" + value + '"');
                }

                void before(String call) {
                    if (says("throwIn", call)) {
                        throw new IllegalStateException("no " + call + " today");
                    }
                    if (says("hangIn", call)) {
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }
                }

                <T> CompletableFuture<T> answer(String call, T value) {
                    before(call);
                    if (says("nullIn", call)) {
                        return null;
                    }
                    if (says("neverIn", call)) {
                        return new CompletableFuture<>();
                    }
                    return says("failIn", call)
                            ? CompletableFuture.failedFuture(new IOException(call + " was refused"))
                            : CompletableFuture.completedFuture(value);
                }

                public String getTopicNamePrefix() {
                    return "queue";
                }

                public CompletableFuture<BenchmarkProducer> createProducer(String topic) {
                    return answer("createProducer", new QueueProducer(this, topic));
                }

                CompletableFuture<BenchmarkConsumer> consumer(String topic, String name, ConsumerCallback callback) {
                    return answer("createConsumer", new QueueConsumer(this, topic, name, callback));
                }

                static BlockingQueue<byte[]> queue(String topic, String subscription) {
                    return TOPICS.computeIfAbsent(topic, t -> new ConcurrentHashMap<>())
                            .computeIfAbsent(subscription, s -> new LinkedBlockingQueue<>());
                }

                /*more*/

                public void close() {
                    before("close");
                }
            }
            """;

    private static final String PRODUCER_SOURCE = """
            import io.openmessaging.benchmark.driver.*;
            import java.io.IOException;
            import java.io.UncheckedIOException;
            import java.nio.ByteBuffer;
            import java.nio.channels.FileChannel;
            import java.nio.file.StandardOpenOption;
            import java.util.*;
            import java.util.concurrent.*;

            class QueueProducer implements BenchmarkProducer {
                private final QueueBenchmarkDriver driver;
                private final String topic;
                private final boolean overwrites;

                QueueProducer(QueueBenchmarkDriver driver, String topic) {
                    this.driver = driver;
                    this.topic = topic;
                    this.overwrites = driver.says("habit", "overwrites");
                }

                public CompletableFuture<Void> sendAsync(Optional<String> key, byte[] payload) {
                    CompletableFuture<Void> answer = driver.answer("sendAsync", null);
                    if (answer == null || answer.isCompletedExceptionally()) {
                        return answer;
                    }
                    if (overwrites) {
                        ByteBuffer.wrap(payload).putLong(System.nanoTime() | 0x0101010101010101L);
                    }
                    if (driver.folder() == null) {
                        QueueBenchmarkDriver.TOPICS.getOrDefault(topic, Map.of()).values().forEach(q -> q.add(payload));
                    } else {
                        append(payload);
                    }
                    return answer;
                }

                private void append(byte[] payload) {
                    ByteBuffer record = ByteBuffer.allocate(Integer.BYTES + payload.length);
                    record.putInt(payload.length).put(payload).flip();
                    Set<StandardOpenOption> options = driver.resets()
                            ? Set.of(StandardOpenOption.APPEND)
                            : Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                    try (FileChannel log = FileChannel.open(driver.folder().resolve(topic), options)) {
                        log.write(record);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }

                public void close() {
                    driver.before("closeProducer");
                }
            }
            """;

    private static final String CONSUMER_SOURCE = """
            import io.openmessaging.benchmark.driver.*;
            import java.io.IOException;
            import java.nio.ByteBuffer;
            import java.nio.channels.FileChannel;
            import java.nio.file.Files;
            import java.nio.file.Path;
            import java.util.*;
            import java.util.concurrent.*;
            import java.util.concurrent.locks.LockSupport;

            class QueueConsumer implements BenchmarkConsumer {
                private final QueueBenchmarkDriver driver;
                private final BlockingQueue<byte[]> queue;
                private final ConsumerCallback callback;
                private final List<Thread> threads = new ArrayList<>();
                private final ByteBuffer reused = ByteBuffer.allocate(1 << 20);
                private volatile boolean open = true;

                QueueConsumer(QueueBenchmarkDriver driver, String topic, String subscription, ConsumerCallback callback) {
                    this.driver = driver;
                    this.queue = QueueBenchmarkDriver.queue(topic, subscription);
                    this.callback = callback;
                    if (driver.folder() == null) {
                        int count = driver.says("habit", "threads") ? 4 : 1;
                        for (int i = 0; i < count; i++) {
                            start(this::deliver);
                        }
                    } else {
                        Path log = driver.folder().resolve(topic);
                        long from = log.toFile().length();
                        start(() -> follow(log, from));
                    }
                }

                private void start(Runnable task) {
                    Thread thread = new Thread(task, "queue-consumer");
                    thread.setDaemon(true);
                    threads.add(thread);
                    thread.start();
                }

                private void deliver() {
                    try {
                        while (open) {
                            byte[] payload = queue.take();
                            if (driver.says("habit", "buffers")) {
                                /*buffer*/
                            } else {
                                callback.messageReceived(payload, System.currentTimeMillis());
                            }
                            if (driver.says("habit", "errors")) {
                                /*error*/
                            }
                        }
                    } catch (InterruptedException e) {
                        // Closed.
                    }
                }

                private void follow(Path log, long from) {
                    long at = from;
                    try {
                        while (open) {
                            if (log.toFile().length() <= at) {
                                LockSupport.parkNanos(1_000_000);
                                continue;
                            }
                            try (FileChannel channel = FileChannel.open(log)) {
                                ByteBuffer size = ByteBuffer.allocate(Integer.BYTES);
                                channel.read(size, at);
                                ByteBuffer payload = ByteBuffer.allocate(size.flip().getInt());
                                channel.read(payload, at + Integer.BYTES);
                                at += Integer.BYTES + payload.capacity();
                                callback.messageReceived(payload.array(), System.currentTimeMillis());
                            }
                        }
                    } catch (IOException e) {
                        // Closed: an interrupt closes the channel.
                    }
                }

                private ByteBuffer reused(byte[] payload) {
                    reused.clear().position(3);
                    reused.put(payload);
                    reused.flip().position(3);
                    return reused;
                }

                public void close() throws InterruptedException {
                    driver.before("closeConsumer");
                    open = false;
                    for (Thread thread : threads) {
                        thread.interrupt();
                        thread.join();
                    }
                }
            }
            """;
}
