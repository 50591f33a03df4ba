package io.openmessaging.benchmark.driver.testkit.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Numbered messages of one producer, sent by its own thread whatever happens to the system. Thread-safe. */
public final class SteadySends implements AutoCloseable {

    private static final int PAYLOAD_BYTES = 100;

    private final BenchmarkProducer producer;
    private final Duration interval;
    private final IntFunction<@Nullable String> key;
    private final List<Sent> sent = new ArrayList<>();
    private final Thread thread;
    private volatile boolean stopped;
    private volatile @Nullable Throwable thrown;

    /**
     * Starts sending.
     *
     * @param name name of the thread
     * @param interval time between two messages
     * @param key the key of the message with a given number
     */
    public SteadySends(String name, BenchmarkProducer producer, Duration interval, IntFunction<@Nullable String> key) {
        this.producer = producer;
        this.interval = interval;
        this.key = key;
        this.thread = new Thread(this::sendAll, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** The outcome of one message. Thread-safe. */
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
                producer.send(key.apply(number), NumberedPayload.of(number, PAYLOAD_BYTES), message);
                LockSupport.parkNanos(interval.toNanos());
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

    /** Returns the number of messages sent so far. */
    public int count() {
        return messages().size();
    }

    /** Returns the numbers of acknowledged messages from a number on, in order. */
    public Set<Integer> acknowledged(int from) {
        List<Sent> all = messages();
        Set<Integer> numbers = new TreeSet<>();
        IntStream.range(from, all.size())
                .filter(number -> all.get(number).isAcknowledged())
                .forEach(numbers::add);
        return numbers;
    }

    /** Returns the exception that ended the sending; null if none did. */
    public @Nullable Throwable thrown() {
        return thrown;
    }

    /** Stops sending, and waits for the send in progress. */
    public void stop(Duration limit) throws InterruptedException {
        stopped = true;
        thread.join(limit.toMillis());
        assertThat(thread.isAlive())
                .as("%s: send still blocks", thread.getName())
                .isFalse();
    }

    /** Asserts that each message had exactly one answer. */
    public void areAnsweredOnce() {
        assertThat(messages())
                .as("%s: answers to each message", thread.getName())
                .allMatch(message -> message.calls() == 1);
    }

    /** Returns the number of failed messages, by the first line of the reason. */
    public Map<String, Integer> failures() {
        Map<String, Integer> failures = new TreeMap<>();
        for (Sent message : messages()) {
            Throwable failure = message.failure();
            if (failure != null) {
                String reason = String.valueOf(failure.getMessage());
                failures.merge(reason.lines().findFirst().orElse(""), 1, Integer::sum);
            }
        }
        return failures;
    }

    /** Returns the longest time without an acknowledgement, in seconds. */
    public double longestGapS() {
        long[] ns = messages().stream()
                .filter(Sent::isAcknowledged)
                .mapToLong(Sent::acknowledgedNs)
                .sorted()
                .toArray();
        return IntStream.range(1, ns.length)
                        .mapToLong(i -> ns[i] - ns[i - 1])
                        .max()
                        .orElse(0)
                / 1e9;
    }

    /** Ends the thread, whatever it waits for. */
    @Override
    public void close() {
        stopped = true;
        thread.interrupt();
    }
}
