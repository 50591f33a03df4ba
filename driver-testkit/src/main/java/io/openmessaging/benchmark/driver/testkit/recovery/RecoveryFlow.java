package io.openmessaging.benchmark.driver.testkit.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Numbered messages from one producer to one consumer, some 200 a second, whatever happens to their broker. */
final class RecoveryFlow implements AutoCloseable {

    private static final long INTERVAL_NS = 5_000_000;
    private static final int PAYLOAD_BYTES = 100;
    private static final double NS_PER_S = 1e9;

    private final String name;
    private final DriverSession session;
    private final RunningBroker broker;
    private final Duration limit;
    private final RecordingListener listener = new RecordingListener();
    private final BenchmarkProducer producer;
    private final List<Sent> sent = new ArrayList<>();
    private final Thread thread;
    private volatile boolean stopped;
    private volatile @Nullable Throwable thrown;

    /** Creates the clients and begins to send. */
    RecoveryFlow(String name, DriverSession session, RunningBroker broker, Duration limit) throws Exception {
        this.name = name;
        this.session = session;
        this.broker = broker;
        this.limit = limit;
        TopicSpec topic = session.topic(1);
        session.consumer(topic, "s", listener);
        this.producer = session.producer(topic);
        this.thread = new Thread(this::sendAll, "flow-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    /** What became of one message. Thread-safe. */
    private static final class Sent implements SendCallback {

        private int calls;
        private long acknowledgedNs;
        private @Nullable Throwable failure;

        @Override
        public synchronized void acknowledged() {
            calls++;
            acknowledgedNs = System.nanoTime();
        }

        @Override
        public synchronized void failed(Throwable cause) {
            calls++;
            failure = cause;
        }

        synchronized int calls() {
            return calls;
        }

        synchronized boolean isAcknowledged() {
            return calls > 0 && failure == null;
        }

        synchronized long acknowledgedNs() {
            return acknowledgedNs;
        }

        synchronized @Nullable Throwable failure() {
            return failure;
        }
    }

    private void sendAll() {
        try {
            for (int number = 0; !stopped; number++) {
                Sent message = new Sent();
                synchronized (sent) {
                    sent.add(message);
                }
                producer.send("key-" + number, NumberedPayload.of(number, PAYLOAD_BYTES), message);
                LockSupport.parkNanos(INTERVAL_NS);
            }
        } catch (InterruptedException | RuntimeException e) {
            thrown = e;
        }
    }

    private List<Sent> messages() {
        synchronized (sent) {
            return List.copyOf(sent);
        }
    }

    /** How many messages were sent so far. */
    int sentCount() {
        return messages().size();
    }

    /** Waits until so many of the messages from a number on are acknowledged and have arrived. */
    void awaitThrough(int from, int count) {
        await(name + ": " + count + " messages acknowledged and arrived from message " + from + " on")
                .atMost(limit)
                .failFast(this::hasNotFailed)
                .until(() -> acknowledged(from).size() >= count
                        && arrived().stream().filter(number -> number >= from).count() >= count);
    }

    private void hasNotFailed() {
        assertThat(broker.failure()).as("%s: why the broker has failed", name).isEmpty();
        assertThat(thrown).as("%s: thrown by send", name).isNull();
        assertThat(session.events().fatals()).as("%s: fatal errors", name).isEmpty();
    }

    private List<Integer> acknowledged(int from) {
        List<Sent> all = messages();
        return IntStream.range(from, all.size())
                .filter(number -> all.get(number).isAcknowledged())
                .boxed()
                .toList();
    }

    private Set<Integer> arrived() {
        return listener.messages().stream()
                .map(message -> NumberedPayload.numberOf(message.payload()))
                .collect(Collectors.toSet());
    }

    /** Sends no more, and waits for all that is acknowledged to arrive. */
    void end() throws Exception {
        stopped = true;
        thread.join(limit.toMillis());
        assertThat(thread.isAlive()).as("%s: send still blocks", name).isFalse();
        hasNotFailed();
        session.close(producer);
        await(name + ": all that is acknowledged has arrived")
                .atMost(limit)
                .until(() -> missing().isEmpty());
    }

    private Set<Integer> missing() {
        Set<Integer> missing = new HashSet<>(acknowledged(0));
        missing.removeAll(arrived());
        return missing;
    }

    /** Every message had one answer, every failure a reason, and no client gave up. */
    void isAccountedFor() {
        assertThat(messages()).as("%s: answers to each message", name).allMatch(message -> message.calls() == 1);
        assertThat(reasons().keySet())
                .as("%s: reasons of failures", name)
                .allSatisfy(reason -> assertThat(reason).isNotBlank().doesNotContainIgnoringCase("unknown reason"));
        hasNotFailed();
    }

    private TreeMap<String, Integer> reasons() {
        TreeMap<String, Integer> reasons = new TreeMap<>();
        for (Sent message : messages()) {
            Throwable failure = message.failure();
            if (failure != null) {
                reasons.merge(
                        String.valueOf(failure.getMessage()).lines().findFirst().orElse(""), 1, Integer::sum);
            }
        }
        return reasons;
    }

    /** A line for whoever compares systems: the longest time without an acknowledgement, duplicates, failures. */
    String describe() {
        long[] acknowledgedNs = messages().stream()
                .filter(Sent::isAcknowledged)
                .mapToLong(Sent::acknowledgedNs)
                .sorted()
                .toArray();
        long gapNs = IntStream.range(1, acknowledgedNs.length)
                .mapToLong(i -> acknowledgedNs[i] - acknowledgedNs[i - 1])
                .max()
                .orElse(0);
        return String.format(
                Locale.ROOT,
                "recovery, %s: %d sent, longest time without an acknowledgement %.1f s, %d arrived twice, failed %s",
                name,
                sentCount(),
                gapNs / NS_PER_S,
                listener.count() - arrived().size(),
                reasons());
    }

    /** Ends the thread and releases the session. */
    @Override
    public void close() throws DriverException {
        stopped = true;
        thread.interrupt();
        session.close();
    }
}
