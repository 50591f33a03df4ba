package io.openmessaging.benchmark.driver.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedMessages;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.recovery.SteadySends;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Numbered messages to the partitions of a topic, some hundreds a second, whatever happens to the servers. */
final class SteadyTraffic implements AutoCloseable {

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
        Patience.await(count + " messages acknowledged and arrived from message " + from + " on")
                .failFast(() -> assertThat(session.events().fatals()).isEmpty())
                .until(() -> {
                    Set<Integer> through = sends.acknowledged(from);
                    through.retainAll(arrived());
                    return through.size() >= count;
                });
    }

    /** Sends no more and waits for all answers. */
    void end() throws Exception {
        sends.stop(Patience.LIMIT);
        assertThat(sends.thrown()).as("thrown by send").isNull();
        session.close(producer);
        sends.areAnsweredOnce();
    }

    /** How many messages were sent so far, which is the number of the next one. */
    int sentCount() {
        return sends.count();
    }

    /** Waits until a message of a partition has arrived that was sent from now on. */
    void awaitNextOf(int partition) {
        int from = sends.count();
        Patience.until(
                "a message of partition " + partition + " from message " + from + " on",
                () -> arrivedOf(partition).stream().anyMatch(number -> number >= from));
    }

    /** All that is acknowledged arrives. */
    void awaitAcknowledged() {
        awaitAcknowledged(0);
    }

    /** All that is acknowledged of the messages from a number on arrives. */
    void awaitAcknowledged(int from) {
        Patience.until(
                "all that is acknowledged from message " + from + " on has arrived",
                () -> lost(from).isEmpty());
    }

    /** What is acknowledged and has not arrived, of the messages from a number on. */
    private Set<Integer> lost(int from) {
        Set<Integer> lost = sends.acknowledged(from);
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
                lost(0).size(),
                duplicates(),
                failures(),
                session.events().clientErrors().size());
    }

    @Override
    public void close() {
        sends.close();
    }
}
