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

/** Numbered messages to the partitions of a topic, some hundreds per second, sent whatever happens to the servers. */
final class SteadyTraffic implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofMillis(2);

    private final DriverSession session;
    private final BenchmarkProducer producer;
    private final RecordingListener listener;
    private final SteadySends sends;

    /** Creates the clients and starts sending. */
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

    /** Waits until {@code count} of the messages sent from now on are acknowledged and have arrived. */
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

    /** Stops sending and waits for all answers. */
    void end() throws Exception {
        sends.stop(Patience.LIMIT);
        assertThat(sends.thrown()).as("thrown by send").isNull();
        session.close(producer);
        sends.areAnsweredOnce();
    }

    /** Returns the number of messages sent so far, which is the number of the next one. */
    int sentCount() {
        return sends.count();
    }

    /** Waits until a message arrives that was sent to this partition from now on. */
    void awaitNextOf(int partition) {
        int from = sends.count();
        Patience.until(
                "a message of partition " + partition + " from message " + from + " on",
                () -> arrivedOf(partition).stream().anyMatch(number -> number >= from));
    }

    /** Waits until all acknowledged messages have arrived. */
    void awaitAcknowledged() {
        awaitAcknowledged(0);
    }

    /** Waits until all acknowledged messages from this number on have arrived. */
    void awaitAcknowledged(int from) {
        Patience.until(
                "all that is acknowledged from message " + from + " on has arrived",
                () -> lost(from).isEmpty());
    }

    /** Returns the acknowledged messages from this number on that have not arrived. */
    private Set<Integer> lost(int from) {
        Set<Integer> lost = sends.acknowledged(from);
        lost.removeAll(arrived());
        return lost;
    }

    /** Returns the number of failed messages, by reason. */
    Map<String, Integer> failures() {
        return sends.failures();
    }

    int duplicates() {
        return listener.count() - arrived().size();
    }

    /** Returns the numbers of a partition's messages in order of arrival. */
    List<Integer> arrivedOf(int partition) {
        return NumberedMessages.numbersOf(listener.messages().stream()
                .filter(message -> message.partition() == partition)
                .toList());
    }

    /** Returns the figures in one line. */
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
