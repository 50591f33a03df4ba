package io.openmessaging.benchmark.micro;

import io.openmessaging.benchmark.audit.ConsumerAudit;
import io.openmessaging.benchmark.audit.ProducerAudit;
import io.openmessaging.benchmark.audit.SubscriptionAudit;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.inmemory.InMemoryBenchmarkDriver;
import io.openmessaging.benchmark.driver.inmemory.InMemoryConfig;
import io.openmessaging.benchmark.load.KeyDistributor;
import io.openmessaging.benchmark.load.LoadedProducer;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.MessageReceiver;
import io.openmessaging.benchmark.load.Pacer;
import io.openmessaging.benchmark.load.Payloads;
import io.openmessaging.benchmark.load.ProducerLoop;
import io.openmessaging.benchmark.load.Schedule;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.measure.Measurements;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A message's whole way through the harness: schedule, header, in-memory driver, acknowledgement, receiver, with every
 * latency and the audit, in the classes that a run uses. A second benchmark covers the driver alone.
 *
 * <p>The driver delivers on the sending thread, so that the time of one thread is the time of everything.
 */
@SuppressWarnings("NullAway.Init") // set by connect()
public class WholePath extends NsPerCall {

    /** Enough that the start of their thread is negligible. */
    private static final int MESSAGES = 1_000_000;

    private static final int SIZE_BYTES = 100;
    private static final int RUN_TAG = 4711;
    private static final String RUN_ID = "microbenchmark";
    private static final TopicSpec TOPIC = new TopicSpec("whole-path", 1);
    private static final TopicSpec BARE_TOPIC = new TopicSpec("driver-only", 1);
    private static final long LIMIT_MS = TimeUnit.MINUTES.toMillis(1);

    private static final DriverEvents NO_ERRORS = new DriverEvents() {
        @Override
        public void clientError(String kind, Throwable cause) {
            throw new IllegalStateException(kind, cause);
        }

        @Override
        public void fatal(Throwable cause) {
            throw new IllegalStateException(cause);
        }
    };

    /** Does as little as possible. */
    private static final class Counting implements SendCallback, MessageListener {

        private long calls;

        @Override
        public void acknowledged() {
            calls++;
        }

        @Override
        public void failed(Throwable cause) {
            throw new IllegalStateException(cause);
        }

        @Override
        public void received(@Nullable String key, byte[] payload, int partition) {
            calls++;
        }
    }

    private final EpochClock clock = new EpochClock();
    private final byte[] payload = Payloads.text(SIZE_BYTES);
    private final Counting counting = new Counting();

    private DriverConnection connection;
    private Measurements measurements;
    private LoadedProducer producer;
    private BenchmarkProducer bareProducer;

    /** Creates a topic with a producer and a consumer twice: one measured, one with nothing behind the driver. */
    @Setup
    public void connect() throws DriverException, InterruptedException {
        measurements = new Measurements(clock, 1);
        connection = new InMemoryBenchmarkDriver()
                .connect(
                        InMemoryConfig.of(InMemoryConfig.Delivery.DIRECT),
                        new DriverContext(RUN_ID, Duration.ofSeconds(10), NO_ERRORS));
        connection.createTopics(List.of(TOPIC, BARE_TOPIC));
        MessageReceiver receiver = new MessageReceiver(
                0,
                MessageHeader.Layout.FULL,
                RUN_TAG,
                new ConsumerAudit(new SubscriptionAudit(TOPIC.name(), 0), 0, 1, 1),
                measurements,
                null,
                (partition, series) -> {});
        connection.createConsumers(
                List.of(new ConsumerSpec(0, TOPIC, "sub", receiver), new ConsumerSpec(1, BARE_TOPIC, "sub", counting)));
        List<BenchmarkProducer> producers =
                connection.createProducers(List.of(new ProducerSpec(0, TOPIC), new ProducerSpec(1, BARE_TOPIC)));
        producer = new LoadedProducer(
                producers.get(0), new ProducerAudit(0), measurements, MessageHeader.Layout.FULL, RUN_TAG);
        bareProducer = producers.get(1);
    }

    @TearDown
    public void close() throws DriverException, InterruptedException {
        connection.deleteTopics(List.of(TOPIC, BARE_TOPIC));
        connection.close();
    }

    /** Sends messages from the schedule to the receiver. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void loop() throws InterruptedException {
        ProducerLoop loop = new ProducerLoop(
                "producer-0",
                new ProducerLoop.Work(
                        List.of(producer),
                        Schedule.even(clock.getAsLong(), Double.POSITIVE_INFINITY),
                        MESSAGES,
                        Payloads.of(List.of(payload), false, 1, 0),
                        KeyDistributor.none()),
                measurements.newPublisher(),
                clock,
                new Pacer(),
                error -> {
                    throw new IllegalStateException(error);
                });
        loop.start();
        if (!loop.awaitEnd(LIMIT_MS)) {
            throw new IllegalStateException("waited " + LIMIT_MS + " ms for " + MESSAGES + " messages to be sent");
        }
    }

    /**
     * Sends a message through header, driver, acknowledgement and receiver: the loop without its schedule and its own
     * counts.
     */
    @Benchmark
    public void send() throws InterruptedException {
        long nowNs = clock.getAsLong();
        producer.send(null, payload, nowNs, nowNs);
    }

    /** Sends a message through the in-memory driver only. */
    @Benchmark
    public long driverOnly() throws InterruptedException {
        bareProducer.send(null, payload, counting);
        return counting.calls;
    }
}
