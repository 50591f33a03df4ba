package io.openmessaging.benchmark.driver.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Numbered messages to the partitions of a topic, some hundreds a second, whatever happens to the servers. */
final class SteadyTraffic implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long INTERVAL_NS = 2_000_000;
    private static final int PAYLOAD_BYTES = 100;
    private static final double NS_PER_S = 1e9;

    private final DriverSession session;
    private final BenchmarkProducer producer;
    private final RecordingListener listener;
    private final List<Sent> sent = new ArrayList<>();
    private final Thread thread = new Thread(this::sendAll, "steady-traffic");
    private volatile boolean stopped;
    private volatile @Nullable Throwable thrown;

    /** Creates the clients and begins to send. */
    SteadyTraffic(DriverSession session, TopicSpec topic, RecordingListener listener) throws Exception {
        this.session = session;
        this.listener = listener;
        session.consumer(topic, "s", listener);
        this.producer = session.producer(topic);
        thread.setDaemon(true);
        thread.start();
    }

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

        synchronized @Nullable Throwable failure() {
            return failure;
        }

        synchronized long acknowledgedNs() {
            return acknowledgedNs;
        }

        synchronized boolean isAcknowledged() {
            return acknowledgedNs != 0;
        }
    }

    private void sendAll() {
        try {
            for (int number = 0; !stopped; number++) {
                Sent message = new Sent();
                synchronized (sent) {
                    sent.add(message);
                }
                producer.send(null, NumberedPayload.of(number, PAYLOAD_BYTES), message);
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

    private Set<Integer> acknowledged(int from) {
        List<Sent> all = messages();
        Set<Integer> numbers = new TreeSet<>();
        IntStream.range(from, all.size())
                .filter(number -> all.get(number).isAcknowledged())
                .forEach(numbers::add);
        return numbers;
    }

    private Set<Integer> arrived() {
        return new TreeSet<>(Traffic.numbersOf(listener.messages()));
    }

    /** Waits until so many of the messages that are sent from now on are acknowledged and have arrived. */
    void awaitMore(int count) {
        int from = messages().size();
        await(count + " messages acknowledged and arrived from message " + from + " on")
                .atMost(LIMIT)
                .failFast(() -> assertThat(session.events().fatals()).isEmpty())
                .until(() -> {
                    Set<Integer> through = acknowledged(from);
                    through.retainAll(arrived());
                    return through.size() >= count;
                });
    }

    /** Sends no more and waits for all answers. */
    void end() throws Exception {
        stopped = true;
        thread.join(LIMIT.toMillis());
        assertThat(thread.isAlive()).as("send still blocks").isFalse();
        assertThat(thrown).as("thrown by send").isNull();
        session.close(producer);
        assertThat(messages()).as("answers to each message").allMatch(message -> message.calls() == 1);
    }

    /** All that is acknowledged arrives. */
    void awaitAcknowledged() {
        await("all that is acknowledged has arrived").atMost(LIMIT).until(() -> lost().isEmpty());
    }

    /** What is acknowledged and has not arrived. */
    Set<Integer> lost() {
        Set<Integer> lost = acknowledged(0);
        lost.removeAll(arrived());
        return lost;
    }

    /** By reason, how many messages have failed. */
    Map<String, Integer> failures() {
        Map<String, Integer> failures = new TreeMap<>();
        for (Sent message : messages()) {
            Throwable failure = message.failure();
            if (failure != null) {
                failures.merge(String.valueOf(failure.getMessage()), 1, Integer::sum);
            }
        }
        return failures;
    }

    int duplicates() {
        return listener.count() - arrived().size();
    }

    /** The numbers of a partition's messages in the order of their arrival. */
    List<Integer> arrivedOf(int partition) {
        return Traffic.numbersOf(listener.messages().stream()
                .filter(message -> message.partition() == partition)
                .toList());
    }

    /** The figures in a line. */
    String describe() {
        long[] ns = messages().stream()
                .filter(Sent::isAcknowledged)
                .mapToLong(Sent::acknowledgedNs)
                .sorted()
                .toArray();
        long gapNs = IntStream.range(1, ns.length)
                .mapToLong(i -> ns[i] - ns[i - 1])
                .max()
                .orElse(0);
        return String.format(
                "%d sent, longest time without an acknowledgement %.1f s, %d acknowledged and lost, %d arrived twice,"
                        + " failed %s, errors told %d",
                messages().size(),
                gapNs / NS_PER_S,
                lost().size(),
                duplicates(),
                failures(),
                session.events().clientErrors().size());
    }

    @Override
    public void close() {
        stopped = true;
        thread.interrupt();
    }
}
