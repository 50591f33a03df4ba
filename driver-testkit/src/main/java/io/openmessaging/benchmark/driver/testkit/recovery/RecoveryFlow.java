package io.openmessaging.benchmark.driver.testkit.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Numbered messages from one producer to one consumer, about 200 per second, sent whatever happens to their broker. */
final class RecoveryFlow implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofMillis(5);

    private final String name;
    private final DriverSession session;
    private final RunningBroker broker;
    private final Duration limit;
    private final RecordingListener listener = new RecordingListener();
    private final BenchmarkProducer producer;
    private final SteadySends sends;

    /** Creates the clients and starts sending. */
    RecoveryFlow(String name, DriverSession session, RunningBroker broker, Duration limit) throws Exception {
        this.name = name;
        this.session = session;
        this.broker = broker;
        this.limit = limit;
        TopicSpec topic = session.topic(1);
        session.consumer(topic, "s", listener);
        this.producer = session.producer(topic);
        this.sends = new SteadySends("flow-" + name, producer, INTERVAL, number -> "key-" + number);
    }

    /** Returns the number of messages sent so far. */
    int sentCount() {
        return sends.count();
    }

    /**
     * Waits until {@code count} of the messages from number {@code from} on are acknowledged and as many have arrived.
     */
    void awaitThrough(int from, int count) {
        await(name + ": " + count + " messages acknowledged and arrived from message " + from + " on")
                .atMost(limit)
                .failFast(this::hasNotFailed)
                .until(() -> sends.acknowledged(from).size() >= count
                        && arrived().stream().filter(number -> number >= from).count() >= count);
    }

    private void hasNotFailed() {
        assertThat(broker.failure()).as("%s: why the broker has failed", name).isEmpty();
        assertThat(sends.thrown()).as("%s: thrown by send", name).isNull();
        assertThat(session.events().fatals()).as("%s: fatal errors", name).isEmpty();
    }

    private Set<Integer> arrived() {
        return listener.messages().stream()
                .map(message -> NumberedPayload.numberOf(message.payload()))
                .collect(Collectors.toSet());
    }

    /**
     * Stops sending, and waits until all acknowledged messages have arrived. Where the system forgets a message as soon
     * as it has handed it over, the crash may have lost those on their way to the consumer, so only messages sent later
     * count.
     *
     * @param sentAtCrash number of messages sent when the nodes had crashed
     */
    void end(int sentAtCrash) throws Exception {
        sends.stop(limit);
        hasNotFailed();
        session.close(producer);
        Guarantee guarantee = session.connection().describeBroker().guarantee();
        boolean forgets = guarantee != null && guarantee.consumption() == Guarantee.Consumption.AUTOMATIC;
        await(name + ": all that is acknowledged has arrived")
                .atMost(limit)
                .until(() -> missing(forgets ? sentAtCrash : 0).isEmpty());
    }

    private Set<Integer> missing(int from) {
        Set<Integer> missing = sends.acknowledged(from);
        missing.removeAll(arrived());
        return missing;
    }

    /** Asserts that every message had one answer, every failure a reason, and that no client gave up. */
    void isAccountedFor() {
        sends.areAnsweredOnce();
        assertThat(sends.failures().keySet())
                .as("%s: reasons of failures", name)
                .allSatisfy(reason -> assertThat(reason).isNotBlank().doesNotContainIgnoringCase("unknown reason"));
        hasNotFailed();
    }

    /** Returns a line for comparing systems: the longest time without an acknowledgement, duplicates, failures. */
    String describe() {
        return String.format(
                Locale.ROOT,
                "recovery, %s: %d sent, longest time without an acknowledgement %.1f s, %d arrived twice, failed %s",
                name,
                sentCount(),
                sends.longestGapS(),
                listener.count() - arrived().size(),
                sends.failures());
    }

    /** Ends the thread and releases the session. */
    @Override
    public void close() throws DriverException {
        sends.close();
        session.close();
    }
}
