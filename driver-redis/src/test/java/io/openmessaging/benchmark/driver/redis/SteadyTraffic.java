package io.openmessaging.benchmark.driver.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedMessages;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.recovery.SteadySends;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Numbered messages to the partitions of a topic, some hundreds a second, whatever happens to the servers. */
final class SteadyTraffic implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration INTERVAL = Duration.ofMillis(2);

    private final DriverSession session;
    private final BenchmarkProducer producer;
    private final RecordingListener listener;
    private final SteadySends sends;

    /** Creates the clients and begins to send. */
    SteadyTraffic(DriverSession session, TopicSpec topic, RecordingListener listener) throws Exception {
        this.session = session;
        this.listener = listener;
        session.consumer(topic, "s", listener);
        this.producer = session.producer(topic);
        this.sends = new SteadySends("steady-traffic", producer, INTERVAL, number -> null);
    }

    private Set<Integer> arrived() {
        return new TreeSet<>(NumberedMessages.numbersOf(listener.messages()));
    }

    /** Waits until so many of the messages that are sent from now on are acknowledged and have arrived. */
    void awaitMore(int count) {
        int from = sends.count();
        await(count + " messages acknowledged and arrived from message " + from + " on")
                .atMost(LIMIT)
                .failFast(() -> assertThat(session.events().fatals()).isEmpty())
                .until(() -> {
                    Set<Integer> through = sends.acknowledged(from);
                    through.retainAll(arrived());
                    return through.size() >= count;
                });
    }

    /** Sends no more and waits for all answers. */
    void end() throws Exception {
        sends.stop(LIMIT);
        assertThat(sends.thrown()).as("thrown by send").isNull();
        session.close(producer);
        sends.areAnsweredOnce();
    }

    /** All that is acknowledged arrives. */
    void awaitAcknowledged() {
        await("all that is acknowledged has arrived").atMost(LIMIT).until(() -> lost().isEmpty());
    }

    /** What is acknowledged and has not arrived. */
    Set<Integer> lost() {
        Set<Integer> lost = sends.acknowledged(0);
        lost.removeAll(arrived());
        return lost;
    }

    /** By reason, how many messages have failed. */
    Map<String, Integer> failures() {
        return sends.failures();
    }

    int duplicates() {
        return listener.count() - arrived().size();
    }

    /** The numbers of a partition's messages in the order of their arrival. */
    List<Integer> arrivedOf(int partition) {
        return NumberedMessages.numbersOf(listener.messages().stream()
                .filter(message -> message.partition() == partition)
                .toList());
    }

    /** The figures in a line. */
    String describe() {
        return String.format(
                "%d sent, longest time without an acknowledgement %.1f s, %d acknowledged and lost, %d arrived twice,"
                        + " failed %s, errors told %d",
                sends.count(),
                sends.longestGapS(),
                lost().size(),
                duplicates(),
                failures(),
                session.events().clientErrors().size());
    }

    @Override
    public void close() {
        sends.close();
    }
}
