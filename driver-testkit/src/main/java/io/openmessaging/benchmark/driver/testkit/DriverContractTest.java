package io.openmessaging.benchmark.driver.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.RecordingListener.ReceivedMessage;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.Smoke;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/**
 * Tests of the driver SPI's contract. A driver's module extends this class once for each kind of configuration that
 * changes how messages travel, and supplies the driver, the configuration, and a send that fails.
 *
 * <p>Each test opens its own connections and topics and leaves nothing behind. Features that a system lacks are
 * declared in {@link #capabilities()}, or by overriding the hook of the test with {@link #skip}; the report then shows
 * the reason.
 *
 * <p>Tests of the driver and its client that need no broker are in {@link ClientContractTest}.
 *
 * @param <C> the driver's configuration record
 */
public abstract class DriverContractTest<C extends Record> {

    private static final int ROUNDS_OF_SHARING = 10;
    private static final int MAX_TEST_PARTITIONS = 4;
    private static final int PAYLOAD_BYTES = 100;
    private static final int MAX_BATCHES_UNTIL_PAUSED = 5;

    /** Call limit of sessions whose close is tested: a close that waits until this limit counts as hanging. */
    private static final Duration LIMIT_OF_CALLS = Patience.LIMIT.multipliedBy(10);

    /**
     * Largest number of calls of a slow listener during a close, which should end with the current call or soon after.
     */
    private static final int MAX_CALLS_DURING_CLOSE = 100;

    private final List<RecordingEvents> eventsOfSessions = new ArrayList<>();
    private final Map<List<RecordingListener>, Runnable> lastLooks = new HashMap<>();

    protected abstract BenchmarkDriver<C> driver();

    /** Returns a configuration that points to a running broker. */
    protected abstract C config();

    /**
     * Returns a send that fails, such as one of a message larger than the system accepts; {@link #skip} if there is
     * none.
     */
    protected abstract FailingSend<C> failingSend();

    /** Returns the capabilities of the system; {@link DriverCapabilities#ALL} unless overridden. */
    protected DriverCapabilities capabilities() {
        return DriverCapabilities.ALL;
    }

    /**
     * Returns the limit for a control call and for the arrival of messages, as a guard against hangs; {@link
     * Patience#LIMIT} unless overridden.
     */
    protected Duration patience() {
        return Patience.LIMIT;
    }

    /**
     * Returns a limit that reveals a close that waits for something: far shorter than {@link #LIMIT_OF_CALLS} and than
     * a client's own timeouts.
     */
    Duration patienceWithClose() {
        return Patience.LIMIT;
    }

    /** Returns how long each call of a slow listener takes. */
    Duration dwellOfSlowListener() {
        return Duration.ofMillis(20);
    }

    /** Skips a test and reports the reason. */
    protected static <T> T skip(String reason) {
        throw new TestAbortedException(reason);
    }

    @AfterEach
    void nothingWentWrongOutsideOfCalls() {
        // All consumers are closed by now, so this sees all late messages, and no more can arrive.
        lastLooks.values().forEach(Runnable::run);
        for (RecordingEvents events : eventsOfSessions) {
            assertThat(events.fatals())
                    .as("fatal errors reported during the test")
                    .isEmpty();
            assertThat(events.clientErrors())
                    .as("client errors reported during the test")
                    .isEmpty();
        }
    }

    // The connection

    @Test
    void theBrokerIsDescribed() throws Exception {
        try (DriverSession session = open()) {
            BrokerDescription broker = session.connection().describeBroker();
            assertThat(broker.product()).as("product").isNotBlank();
            assertThat(broker.version()).as("version").isNotBlank();
            assertThat(broker.guarantee() == null)
                    .as("what the system promises of acknowledged messages is unknown")
                    .isEqualTo(capabilities().bridged());
            assertThat(broker.nodes()).as("nodes").allMatch(ClientContractTest::isHostAndPort, "is host:port");
            if (!driver().addresses(config()).isEmpty()) {
                assertThat(broker.nodes()).as("nodes").isNotEmpty();
            }
        }
    }

    @Test
    void aSecondConnectionUsesTopicsOfTheFirst() throws Exception {
        try (DriverSession first = open();
                DriverSession second = openOfSameRun(first)) {
            TopicSpec topic = first.topic(1);
            RecordingListener listener = listener(second, topic);
            sendAll(first.producer(topic), 0, 10, i -> null);
            expect("a consumer of another connection", 0, 10, listener);
        }
    }

    @Test
    void closingAConnectionKeepsItsTopics() throws Exception {
        try (DriverSession owner = open()) {
            TopicSpec topic;
            try (DriverSession creator = openOfSameRun(owner)) {
                topic = owner.topicBy(creator);
            }
            RecordingListener listener = listener(owner, topic);
            sendAll(owner.producer(topic), 0, 10, i -> null);
            expect("a topic whose creator is gone", 0, 10, listener);
        }
    }

    // Topics

    @Test
    void creatingATopicAgainDoesNoHarm() throws Exception {
        try (DriverSession session = open()) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = listener(session, topic);
            BenchmarkProducer producer = session.producer(topic);
            sendAll(producer, 0, 10, i -> null);
            Throwable refusal = catchThrowable(() -> session.connection().createTopics(List.of(topic)));
            if (refusal != null) {
                assertThat(refusal)
                        .as("what createTopics throws for a topic that exists")
                        .isInstanceOf(DriverException.class);
            }
            sendAll(producer, 10, 20, i -> null);
            sendAll(session.producer(topic), 20, 30, i -> null);
            expect("the topic created twice", 0, 30, listener);
        }
    }

    @Test
    void aDeletedTopicIsGone() throws Exception {
        if (capabilities().bridged()) {
            skip("topics cannot be deleted");
        }
        int partitions = Math.min(2, capabilities().maxPartitions());
        try (DriverSession session = open()) {
            TopicSpec topic = session.topic(1);
            BenchmarkConsumer consumer = session.consumer(topic, "s", new RecordingListener());
            BenchmarkProducer producer = session.producer(topic);
            consumer.pause();
            sendAll(producer, 0, 10, i -> null);
            session.close(producer);
            session.close(consumer);
            session.connection().deleteTopics(List.of(topic));

            TopicSpec again = new TopicSpec(topic.name(), partitions);
            session.connection().createTopics(List.of(again));
            RecordingListener listener = listener(session, again);
            // 64 keys reach both of two partitions except in one case in 10^19.
            sendAll(session.producer(again), 10, 74, i -> "key-" + i);
            Arrivals arrivals = expect("a topic deleted and created again", 10, 74, listener);
            if (capabilities().keyDecidesPartition()) {
                assertThat(arrivals.partitions())
                        .as("partitions of a topic created again with %d", partitions)
                        .isEqualTo(partitionsBelow(partitions));
            }
        }
    }

    @Test
    void deletingATopicThatIsGoneIsNoError() throws Exception {
        try (DriverSession session = open()) {
            TopicSpec topic = session.topic(1);
            TopicSpec never = new TopicSpec(topic.name() + "-never-created", 1);
            assertThatCode(() -> session.connection().deleteTopics(List.of(never, topic)))
                    .as("deleteTopics of one topic that was never created and one that was")
                    .doesNotThrowAnyException();
            assertThatCode(() -> session.connection().deleteTopics(List.of(topic)))
                    .as("deleteTopics of a topic that is already deleted")
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void leadersAreNodesOfTheSystem() throws Exception {
        int partitions = Math.min(2, capabilities().maxPartitions());
        try (DriverSession session = open()) {
            List<TopicSpec> topics = List.of(session.topic(partitions), session.topic(1));
            List<List<String>> leaders = session.connection().leaders(topics);
            if (leaders.isEmpty()) {
                skip("the system does not say which node leads a partition");
            }
            assertThat(leaders.stream().map(List::size))
                    .as("partitions with a leader of topics with %d and 1", partitions)
                    .containsExactly(partitions, 1);
            assertThat(session.connection().describeBroker().nodes())
                    .as("nodes of the system")
                    .containsAll(leaders.stream().flatMap(List::stream).toList());
        }
    }

    // Messages

    @Test
    @Smoke
    void keysAndPayloadsArriveAsTheyWereSent() throws Exception {
        assertKeysAndPayloadsArrive(Map.of());
    }

    @Test
    void headersChangeNeitherKeysNorPayloads() throws Exception {
        if (!driver().carriesHeaders(config())) {
            skip("messages have no headers");
        }
        assertKeysAndPayloadsArrive(Map.of("header-1", "one", "header-2", "2".repeat(1000)));
    }

    private void assertKeysAndPayloadsArrive(Map<String, String> headers) throws Exception {
        try (DriverSession session = open()) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = listener(session, topic);
            BenchmarkProducer producer = session.producer(topic, headers);
            int sent = 0;
            for (int bytes : new int[] {1, 10, 100, 256, 1024, 100 * 1024}) {
                for (String key : Arrays.asList(null, "k", "clé-鍵-42")) {
                    byte[] payload = allByteValues(bytes);
                    RecordingCallback callback = new RecordingCallback(bytes + " bytes with key " + key);
                    producer.send(key, payload.clone(), callback);
                    callback.awaitAcknowledged(patience());
                    ReceivedMessage got =
                            listener.awaitMessages(++sent, patience()).get(sent - 1);
                    assertThat(got.key())
                            .as("key of %d bytes", bytes)
                            .isEqualTo(capabilities().bridged() ? null : key);
                    assertThat(got.partition())
                            .as("partition in a topic that has one")
                            .isZero();
                    assertSameBytes(payload, got.payload());
                }
            }
        }
    }

    private static byte[] allByteValues(int bytes) {
        byte[] payload = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            payload[i] = (byte) (i - 1);
        }
        return payload;
    }

    private static void assertSameBytes(byte[] sent, byte[] got) {
        assertThat(got.length).as("bytes arrived of %d sent", sent.length).isEqualTo(sent.length);
        assertThat(Arrays.mismatch(sent, got))
                .as("index of the first byte of %d that differs, -1 for none", sent.length)
                .isEqualTo(-1);
    }

    @Test
    void thePayloadIsOwnedAsTheDriverSays() throws Exception {
        int messages = 500;
        try (DriverSession session = open()) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = listener(session, topic);
            BenchmarkProducer producer = session.producer(topic);
            boolean copied = session.connection().payloadOwnership() == PayloadOwnership.COPIED_ON_SEND;
            byte[] reused = new byte[1024];
            List<RecordingCallback> callbacks = new ArrayList<>();
            for (int i = 0; i < messages; i++) {
                byte[] payload = copied ? reused : new byte[1024];
                NumberedPayload.write(i, payload);
                RecordingCallback callback = new RecordingCallback("message " + i);
                callbacks.add(callback);
                producer.send(null, payload, callback);
                if (copied) {
                    Arrays.fill(reused, (byte) 0xEE);
                }
            }
            awaitAcknowledged(callbacks);
            expect("the consumer", 0, messages, listener);
        }
    }

    @Test
    @Smoke
    void theCallbackIsCalledOnceForEachSend() throws Exception {
        int messages = 500;
        try (DriverSession session = open()) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = listener(session, topic);
            BenchmarkProducer producer = session.producer(topic);
            List<RecordingCallback> callbacks = sendNumbered(producer, 0, messages, i -> null);
            session.close(producer);
            assertThat(callbacks)
                    .as("callbacks of messages sent before close, when close has returned")
                    .allMatch(c -> c.calls() == 1, "called exactly once");
            assertThat(callbacks)
                    .as("callbacks of messages sent before close with a broker that works")
                    .allMatch(c -> c.acknowledgements() == 1, "acknowledged");
            expect("the consumer", 0, messages, listener);
            assertThat(callbacks)
                    .as("callbacks after everything has arrived")
                    .allMatch(c -> c.calls() == 1, "called exactly once");
        }
    }

    @Test
    @Smoke
    void aFailedSendIsReportedThroughTheCallback() throws Exception {
        FailingSend<C> failing = failingSend();
        try (DriverSession session = DriverSession.open(driver(), failing.config(), patience())) {
            BenchmarkProducer producer = session.producer(session.topic(1));
            RecordingCallback callback = new RecordingCallback(failing.payloadBytes() + " bytes");
            assertThatCode(() -> producer.send(null, new byte[failing.payloadBytes()], callback))
                    .as("send of a message that is refused, which is reported through the callback only")
                    .doesNotThrowAnyException();
            assertThat(callback.awaitFailed(patience()))
                    .as("cause of the failure")
                    .isNotNull();
            session.close(producer);
            assertThat(callback.calls()).as("calls of the callback").isEqualTo(1);
        }
    }

    // Subscriptions

    @Test
    void producersAndConsumersComeInTheOrderOfTheirSpecifications() throws Exception {
        try (DriverSession session = open()) {
            TopicSpec a = session.topic(1);
            TopicSpec b = session.topic(1);
            RecordingListener onA = new RecordingListener();
            RecordingListener onB = new RecordingListener();
            List<BenchmarkConsumer> consumers =
                    session.consumers(session.consumerOf(a, "s", onA), session.consumerOf(b, "s", onB));
            List<BenchmarkProducer> producers = session.producers(a, b);
            assertThat(consumers).as("consumers created for 2 specifications").hasSize(2);
            assertThat(producers).as("producers created for 2 specifications").hasSize(2);
            sendAll(producers.get(0), 0, 10, i -> null);
            sendAll(producers.get(1), 10, 20, i -> null);
            expect("the first topic", 0, 10, onA);
            expect("the second topic", 10, 20, onB);

            session.close(consumers.get(0));
            sendAll(producers.get(1), 20, 30, i -> null);
            expect("the consumer that is still open", 10, 30, onB);
        }
    }

    @Test
    @Smoke
    void eachSubscriptionGetsEveryMessage() throws Exception {
        int messages = 300;
        try (DriverSession session = open()) {
            TopicSpec topic = session.topic(testPartitions());
            RecordingListener first = new RecordingListener();
            RecordingListener second = new RecordingListener();
            session.consumers(session.consumerOf(topic, "first", first), session.consumerOf(topic, "second", second));
            sendAll(session.producer(topic), 0, messages, i -> "key-" + i);
            expect("the first subscription", 0, messages, first);
            expect("the second subscription", 0, messages, second);
        }
    }

    @Test
    @Smoke
    void consumersOfASubscriptionShareItsMessages() throws Exception {
        int messages = 600;
        try (DriverSession session = open()) {
            TopicSpec topic = session.topic(testPartitions());
            RecordingListener first = new RecordingListener();
            RecordingListener second = new RecordingListener();
            session.consumers(session.consumerOf(topic, "s", first), session.consumerOf(topic, "s", second));
            BenchmarkProducer producer = session.producer(topic);
            int sent = 0;
            // A system that gives each batch to the first consumer that requested messages may take a while to serve
            // both.
            do {
                sendAll(producer, sent, sent + messages, i -> "key-" + i);
                sent += messages;
                expect("the subscription of two consumers", 0, sent, first, second);
            } while (testPartitions() > 1
                    && (first.count() == 0 || second.count() == 0)
                    && sent < ROUNDS_OF_SHARING * messages);
            if (testPartitions() > 1) {
                assertThat(first.count())
                        .as("messages that the first consumer got")
                        .isPositive();
                assertThat(second.count())
                        .as("messages that the second consumer got")
                        .isPositive();
            }
        }
    }

    @Test
    @Smoke
    void everythingSentAfterConsumersWereCreatedArrives() throws Exception {
        try (DriverSession session = open()) {
            TopicSpec topic = session.topic(testPartitions());
            BenchmarkProducer producer = session.producer(topic);
            for (int round = 0; round < 3; round++) {
                RecordingListener listener = new RecordingListener();
                BenchmarkConsumer consumer = session.consumer(topic, "round-" + round, listener);
                int from = round * 40;
                sendAll(producer, from, from + 40, i -> "key-" + i);
                // Messages sent before the subscription was created may arrive first, or not at all.
                Arrivals.await("a new subscription", from, from + 40, patience(), listener)
                        .since(from)
                        .areExactly(from, from + 40);
                session.close(consumer);
            }
        }
    }

    // Reading again

    @Test
    @Smoke
    void aReaderGetsEverythingThatWasSentBefore() throws Exception {
        int messages = 300;
        try (DriverSession session = open();
                DriverSession control = openOfSameRun(session)) {
            TopicSpec topic = session.topic(testPartitions());
            skipUnlessReadAnew(control, topic);
            TopicSpec other = session.topic(1);
            sendAndRead(session, topic, 0, messages);
            sendAndRead(session, other, messages, messages + 10);

            RecordingListener reader = new RecordingListener();
            RecordingListener ofOther = new RecordingListener();
            readers(control, control.consumerOf(topic, "reader", reader), control.consumerOf(other, "reader", ofOther));
            Arrivals arrivals = expect("a reader after all consumers were closed", 0, messages, reader);
            expect("the reader of another topic", messages, messages + 10, ofOther);
            if (capabilities().keepsOrder()) {
                assertInOrder(arrivals);
            }
        }
    }

    @Test
    void aReaderLeavesOtherSubscriptionsAlone() throws Exception {
        int messages = 100;
        try (DriverSession session = open();
                DriverSession control = openOfSameRun(session)) {
            TopicSpec topic = session.topic(1);
            skipUnlessReadAnew(control, topic);
            RecordingListener ordinary = new RecordingListener();
            BenchmarkConsumer consumer = session.consumer(topic, "s", ordinary);
            BenchmarkProducer producer = session.producer(topic);
            sendAll(producer, 0, messages, i -> null);
            ordinary.awaitMessages(messages, patience());
            consumer.pause();
            sendAll(producer, messages, 2 * messages, i -> null);

            RecordingListener reader = new RecordingListener();
            List<BenchmarkConsumer> readers = readers(control, control.consumerOf(topic, "reader", reader));
            expect("a reader beside a consumer that is paused", 0, 2 * messages, reader);
            control.close(readers.get(0));
            consumer.resume();
            expect("a consumer after there was a reader", 0, 2 * messages, ordinary);
        }
    }

    @Test
    void aSecondReaderGetsEverythingOnceMore() throws Exception {
        int messages = 50;
        try (DriverSession session = open();
                DriverSession control = openOfSameRun(session)) {
            TopicSpec topic = session.topic(1);
            skipUnlessReadAnew(control, topic);
            sendAndRead(session, topic, 0, messages);
            for (String name : List.of("first", "second")) {
                RecordingListener reader = new RecordingListener();
                List<BenchmarkConsumer> readers = readers(control, control.consumerOf(topic, name, reader));
                expect("the " + name + " reader", 0, messages, reader);
                control.close(readers.get(0));
            }
        }
    }

    /** Sends messages, reads them with an ordinary consumer, and waits until they are counted as read. */
    private void sendAndRead(DriverSession session, TopicSpec topic, int from, int until) throws Exception {
        RecordingListener listener = new RecordingListener();
        BenchmarkConsumer consumer = session.consumer(topic, "s", listener);
        BenchmarkProducer producer = session.producer(topic);
        sendAll(producer, from, until, i -> "key-" + i);
        expect("an ordinary consumer", from, until, listener);
        session.close(producer);
        session.close(consumer);
    }

    // Existing topics

    /**
     * Returns the system's name of a topic that exists independently of the run that uses it, created here by another
     * run; {@link #skip} if the driver has no {@code existingTopics}.
     *
     * @param owner the other run
     * @param topic a topic created by it
     */
    protected String existingTopic(DriverSession owner, TopicSpec topic) throws Exception {
        return topic.name();
    }

    /** Returns whether the driver's own messages carry the system's time. */
    protected boolean messagesHaveTimes() {
        return driver().messageTime(config()).isPresent();
    }

    /** Returns a configuration for existing topics; {@link #config()} unless overridden. */
    protected C configOfExisting() {
        return config();
    }

    private DriverSession openExisting() throws Exception {
        DriverSession session = DriverSession.open(driver(), configOfExisting(), patience());
        eventsOfSessions.add(session.events());
        return session;
    }

    /** Returns whether consumers of an existing topic start at its end; false if it is a queue, which they empty. */
    protected boolean existingTopicsKeepMessages() {
        return true;
    }

    @Test
    void anExistingTopicIsUsedAndStays() throws Exception {
        try (DriverSession owner = open()) {
            TopicSpec own = owner.topic(1);
            String name = existingTopic(owner, own);
            sendAll(owner.producer(own), 0, 10, i -> "key-" + i);
            int first = existingTopicsKeepMessages() ? 10 : 0;
            try (DriverSession user = openExisting()) {
                TopicSpec existing = user.existing(name, 1);
                RecordingListener listener = listener(user, existing);
                sendAll(user.producer(existing), 10, 20, i -> "key-" + i);
                expect("a consumer of an existing topic", first, 20, listener);
            }
            sendAll(owner.producer(own), 20, 30, i -> null);
            int oldest = existingTopicsKeepMessages() ? 0 : 20;
            try (DriverSession user = openExisting()) {
                TopicSpec existing = user.existing(name, 1);
                RecordingListener one = new RecordingListener();
                RecordingListener other = new RecordingListener();
                readersOfExisting(user, existing, "s", one, other);
                Arrivals arrivals = expect("consumers of existing messages", oldest, 30, one, other);
                assertThat(arrivals.messages())
                        .as("times of the system")
                        .allMatch(message -> (message.timeMs() != MessageListener.NO_TIME) == messagesHaveTimes());
            }
            try (DriverSession user = openExisting()) {
                TopicSpec existing = user.existing(name, 1);
                RecordingListener again = new RecordingListener();
                readersOfExisting(user, existing, "s", again);
                if (existingTopicsKeepMessages()) {
                    expect("consumers of another run", 0, 30, again);
                }
            }
        }
    }

    private void readersOfExisting(
            DriverSession user, TopicSpec existing, String subscription, RecordingListener... listeners)
            throws Exception {
        ConsumerSpec[] specs = Arrays.stream(listeners)
                .map(listener -> user.consumerOf(existing, subscription, listener))
                .toArray(ConsumerSpec[]::new);
        readers(user, specs);
    }

    @Test
    void anExistingTopicThatIsNotThereIsRefusedAndNotCreated() throws Exception {
        try (DriverSession session = openExisting()) {
            String name = existingTopic(session, session.topic(1)) + "-missing";
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThat(catchThrowable(() -> session.existing(name, 1)))
                        .as(
                                "what createTopics throws for a topic of existingTopics that is missing, in attempt %d",
                                attempt)
                        .isInstanceOf(DriverException.class)
                        .hasMessageContaining(name);
            }
        }
    }

    /**
     * Skips the test for a system that does not keep messages that were read, after asserting that its driver creates
     * no readers.
     */
    private void skipUnlessReadAnew(DriverSession session, TopicSpec topic) throws Exception {
        if (!capabilities().readsAnew()) {
            assertThat(session.readers(session.consumerOf(topic, "reader", new RecordingListener())))
                    .as("readers of a system that does not keep what was read")
                    .isEmpty();
            skip("the system does not keep what was read");
        }
    }

    private List<BenchmarkConsumer> readers(DriverSession session, ConsumerSpec... specs) throws Exception {
        List<BenchmarkConsumer> readers = session.readers(specs);
        assertThat(readers).as("readers created").hasSize(specs.length);
        return readers;
    }

    // Partitions and order

    @Test
    void aKeyDecidesThePartition() throws Exception {
        int partitions = severalPartitionsOrSkip();
        if (!capabilities().keyDecidesPartition()) {
            skip("the key does not decide the partition");
        }
        // A prime, so that a round-robin distribution does not look as if it followed the key.
        int keys = 61;
        int messages = 4 * keys;
        try (DriverSession session = open()) {
            TopicSpec topic = session.topic(partitions);
            RecordingListener listener = listener(session, topic);
            List<BenchmarkProducer> producers = session.producers(topic, topic);
            sendAll(producers.get(0), 0, messages / 2, i -> "key-" + i % keys);
            sendAll(producers.get(1), messages / 2, messages, i -> "key-" + i % keys);
            Arrivals arrivals = expect("the consumer", 0, messages, listener);
            assertThat(arrivals.partitions())
                    .as("partitions that %d keys were sent to", keys)
                    .isEqualTo(partitionsBelow(partitions));
            Map<String, Set<Integer>> partitionsOfKey = new HashMap<>();
            for (ReceivedMessage message : arrivals.messages()) {
                partitionsOfKey
                        .computeIfAbsent(String.valueOf(message.key()), k -> new HashSet<>())
                        .add(message.partition());
            }
            assertThat(partitionsOfKey)
                    .as("partitions of each key")
                    .hasSize(keys)
                    .allSatisfy((key, its) -> assertThat(its)
                            .as("partitions that messages with %s came from", key)
                            .hasSize(1));
        }
    }

    @Test
    void messagesWithoutKeyReachAllPartitions() throws Exception {
        int partitions = severalPartitionsOrSkip();
        // Enough for clients that fill a batch of up to 1 MiB for one partition before they switch to the next.
        int maxRounds = 200;
        int messagesPerRound = 100;
        try (DriverSession session = open()) {
            TopicSpec topic = session.topic(partitions);
            RecordingListener listener = listener(session, topic);
            BenchmarkProducer producer = session.producer(topic);
            Set<Integer> reached = Set.of();
            int sent = 0;
            while (reached.size() < partitions && sent < maxRounds * messagesPerRound) {
                awaitAcknowledged(sendNumbered(producer, sent, sent + messagesPerRound, 1024, i -> null));
                sent += messagesPerRound;
                reached = new Arrivals("the consumer", listener.awaitMessages(sent, patience())).partitions();
            }
            assertThat(reached)
                    .as("partitions that %d messages without key were sent to", sent)
                    .isEqualTo(partitionsBelow(partitions));
        }
    }

    @Test
    @Smoke
    void messagesOfAPartitionKeepTheOrderOfTheirProducer() throws Exception {
        if (!capabilities().keepsOrder()) {
            skip("messages overtake each other");
        }
        int messages = 2000;
        try (DriverSession session = open()) {
            TopicSpec topic = session.topic(testPartitions());
            RecordingListener listener = listener(session, topic);
            // Runs of one key ensure that consecutive messages share a partition.
            sendAll(session.producer(topic), 0, messages, i -> "key-" + i / 10 % 50);
            assertInOrder(expect("the consumer", 0, messages, listener));
        }
    }

    private static void assertInOrder(Arrivals arrivals) {
        for (int partition : arrivals.partitions()) {
            List<Integer> numbers = arrivals.messages().stream()
                    .filter(m -> m.partition() == partition)
                    .map(m -> NumberedPayload.numberOf(m.payload()))
                    .toList();
            assertThat(numbers)
                    .as("numbers of the messages of partition %d, all by one producer", partition)
                    .isSorted();
        }
    }

    // Delivery

    @Test
    void callsOfAListenerNeverOverlap() throws Exception {
        int producerCount = 4;
        int messagesPerProducer = 250;
        int messages = producerCount * messagesPerProducer;
        ExecutorService threads = Executors.newFixedThreadPool(producerCount);
        try (DriverSession session = open()) {
            TopicSpec topic = session.topic(testPartitions());
            RecordingListener listener = new RecordingListener(Duration.ofNanos(50_000));
            session.consumer(topic, "s", listener);
            List<BenchmarkProducer> producers = session.producers(topic, topic, topic, topic);
            List<Callable<List<RecordingCallback>>> tasks = new ArrayList<>();
            for (int p = 0; p < producerCount; p++) {
                BenchmarkProducer producer = producers.get(p);
                int from = p * messagesPerProducer;
                tasks.add(() -> sendNumbered(producer, from, from + messagesPerProducer, i -> "key-" + i));
            }
            for (Future<List<RecordingCallback>> task :
                    threads.invokeAll(tasks, patience().toMillis(), TimeUnit.MILLISECONDS)) {
                awaitAcknowledged(task.get());
            }
            expect("the consumer", 0, messages, listener);
            assertThat(listener.overlaps())
                    .as("calls of one consumer's listener that started during another one")
                    .isZero();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    @Smoke
    void pauseStopsDeliveryAndResumeGoesOnWhereItStopped() throws Exception {
        try (DriverSession session = open()) {
            TopicSpec topic = session.topic(testPartitions());
            RecordingListener listener = new RecordingListener();
            BenchmarkConsumer consumer = session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            sendAll(producer, 0, 100, i -> "key-" + i);
            listener.awaitMessages(100, patience());

            consumer.pause();
            // What the client has asked for may still arrive, on a busy machine much later; then delivery stops.
            int sent = 100;
            Arrivals ofLastBatch;
            do {
                int from = sent;
                sent += 100;
                sendAll(producer, from, sent, i -> "key-" + i);
                listener.awaitQuiet(Duration.ofSeconds(1), patience());
                ofLastBatch = Arrivals.of("a paused consumer", listener).since(from);
            } while (!ofLastBatch.messages().isEmpty() && sent < 100 + MAX_BATCHES_UNTIL_PAUSED * 100);
            assertThat(ofLastBatch.messages())
                    .as("messages sent after the consumer had paused")
                    .isEmpty();

            consumer.resume();
            expect("a consumer paused and resumed", 0, sent, listener);
            sendAll(producer, sent, sent + 100, i -> "key-" + i);
            expect("a consumer resumed a while ago", 0, sent + 100, listener);
        }
    }

    // The end

    @Test
    void anIdleProducerClosesPromptly() throws Exception {
        try (DriverSession session = open(LIMIT_OF_CALLS)) {
            TopicSpec topic = session.topic(1);
            List<BenchmarkProducer> producers = session.producers(topic, topic);
            sendAll(producers.get(0), 0, 1, i -> null);
            for (BenchmarkProducer producer : producers) {
                assertEnds("close of a producer that has nothing to send", () -> session.close(producer));
            }
        }
    }

    @Test
    void anIdleConsumerClosesPromptly() throws Exception {
        try (DriverSession session = open(LIMIT_OF_CALLS)) {
            TopicSpec topic = session.topic(testPartitions());
            BenchmarkConsumer consumer = session.consumer(topic, "idle", new RecordingListener());
            BenchmarkConsumer paused = session.consumer(topic, "paused", new RecordingListener());
            paused.pause();
            assertEnds("close of a consumer without messages", () -> session.close(consumer));
            assertEnds("close of a paused consumer", () -> session.close(paused));
        }
    }

    /**
     * Counts calls, since each call takes as long as the listener likes: close must not wait for all messages that the
     * client has fetched.
     */
    @Test
    void aSlowConsumerClosesPromptly() throws Exception {
        long dwellNs = dwellOfSlowListener().toNanos();
        // More than one, since a client's first read may be small.
        CountDownLatch called = new CountDownLatch(3);
        AtomicInteger calls = new AtomicInteger();
        try (DriverSession session = open(LIMIT_OF_CALLS)) {
            TopicSpec topic = session.topic(1);
            BenchmarkConsumer consumer =
                    session.consumer(topic, "slow", new BlockingListener((key, payload, partition) -> {
                        calls.incrementAndGet();
                        called.countDown();
                        LockSupport.parkNanos(dwellNs);
                    }));
            // Otherwise, the first read may return only the few messages sent so far, which are delivered soon.
            consumer.pause();
            sendAll(session.producer(topic), 0, 400, i -> null);
            consumer.resume();
            awaitLatch("some messages have arrived", called);
            int before = calls.get();
            assertEnds("close of a slow consumer", () -> session.close(consumer));
            assertThat(calls.get() - before)
                    .as("calls of the listener during close")
                    .isLessThanOrEqualTo(MAX_CALLS_DURING_CLOSE);
        }
    }

    /** Uses more consumers than a client has connections or threads by default. */
    @Test
    void consumersThatBlockDoNotWaitForEachOther() throws Exception {
        int consumers = 12;
        CountDownLatch busy = new CountDownLatch(consumers);
        MessageListener untilAllAreBusy = new BlockingListener((key, payload, partition) -> {
            busy.countDown();
            try {
                boolean unused = busy.await(patience().toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try (DriverSession session = open()) {
            for (int i = 0; i < consumers; i++) {
                TopicSpec topic = session.topic(1);
                session.consumer(topic, "busy", untilAllAreBusy);
                sendAll(session.producer(topic), 0, 1, n -> null);
            }
            awaitLatch("all of " + consumers + " consumers are busy at the same time", busy);
        }
    }

    @Test
    void aConsumerThatBlocksGetsEachMessageOnceAndInOrder() throws Exception {
        int messages = 2000;
        try (DriverSession session = open()) {
            TopicSpec topic = session.topic(testPartitions());
            RecordingListener listener = new RecordingListener(Duration.ofNanos(10_000));
            BenchmarkConsumer consumer = session.consumer(topic, "s", new BlockingListener(listener));
            BenchmarkProducer producer = session.producer(topic);
            sendAll(producer, 0, messages / 2, i -> "key-" + i / 10 % 50);
            expect("before a pause", 0, messages / 2, listener);
            consumer.pause();
            consumer.resume();
            sendAll(producer, messages / 2, messages, i -> "key-" + i / 10 % 50);
            Arrivals arrivals = expect("after a pause", 0, messages, listener);
            if (capabilities().keepsOrder()) {
                assertInOrder(arrivals);
            }
            assertThat(listener.overlaps())
                    .as("calls of one consumer's listener that started during another one")
                    .isZero();
        }
    }

    @Test
    @Smoke
    void aClosedConsumerIsNotCalledAnyMore() throws Exception {
        int messages = 1000;
        try (DriverSession session = open()) {
            TopicSpec topic = session.topic(testPartitions());
            RecordingListener closed = new RecordingListener();
            RecordingListener witness = new RecordingListener();
            BenchmarkConsumer consumer = session.consumer(topic, "closed", closed);
            session.consumer(topic, "witness", witness);
            List<RecordingCallback> callbacks = sendNumbered(session.producer(topic), 0, messages, i -> "key-" + i);
            session.close(consumer);
            int whenClosed = closed.count();
            callbacks.addAll(sendNumbered(session.producer(topic), messages, 2 * messages, i -> "key-" + i));
            awaitAcknowledged(callbacks);
            expect("the other subscription", 0, 2 * messages, witness);
            assertThat(closed.count())
                    .as("messages of a closed consumer, while another subscription got everything")
                    .isEqualTo(whenClosed);
        }
    }

    @Test
    void anInterruptedCloseIsPromptAndKeepsTheInterruptStatus() throws Exception {
        try (DriverSession session = open(LIMIT_OF_CALLS)) {
            TopicSpec topic = session.topic(1);
            BenchmarkConsumer consumer = session.consumer(topic, "s", new RecordingListener());
            BenchmarkProducer producer = session.producer(topic);
            List<RecordingCallback> callbacks = sendNumbered(producer, 0, 100, i -> null);
            assertEndsInterrupted("close of a producer", () -> session.close(producer));
            assertThat(callbacks)
                    .as("callbacks when an interrupted close has returned")
                    .allMatch(c -> c.calls() == 1, "called exactly once");
            assertEndsInterrupted("close of a consumer", () -> session.close(consumer));
        }
        DriverConnection idle =
                driver().connect(config(), new DriverContext("contract", LIMIT_OF_CALLS, new RecordingEvents()));
        assertEndsInterrupted("close of a connection", idle);
    }

    private void assertEnds(String what, AutoCloseable step) throws Exception {
        assertThat(interruptStatusAfter(what, false, step))
                .as("interrupt status after %s", what)
                .isFalse();
    }

    private void assertEndsInterrupted(String what, AutoCloseable step) throws Exception {
        assertThat(interruptStatusAfter(what, true, step))
                .as("interrupt status after %s on an interrupted thread", what)
                .isTrue();
    }

    /**
     * Runs a step on its own thread, so that a step that hangs fails; returns whether the thread is interrupted
     * afterwards.
     */
    private boolean interruptStatusAfter(String what, boolean interrupted, AutoCloseable step) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<Boolean> status = thread.submit(() -> {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                step.close();
                return Thread.interrupted();
            });
            return status.get(patienceWithClose().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError(what + " has not ended within " + patienceWithClose(), e);
        } finally {
            thread.shutdownNow();
        }
    }

    // Helpers

    private DriverSession open() throws DriverException, InterruptedException {
        return open(patience());
    }

    private DriverSession open(Duration limitOfCalls) throws DriverException, InterruptedException {
        DriverSession session = DriverSession.open(driver(), config(), limitOfCalls);
        eventsOfSessions.add(session.events());
        return session;
    }

    private DriverSession openOfSameRun(DriverSession first) throws DriverException, InterruptedException {
        DriverSession session = first.openOfSameRun(driver(), config(), patience());
        eventsOfSessions.add(session.events());
        return session;
    }

    private static List<RecordingCallback> sendNumbered(
            BenchmarkProducer producer, int from, int until, IntFunction<@Nullable String> keyOf)
            throws InterruptedException {
        return sendNumbered(producer, from, until, PAYLOAD_BYTES, keyOf);
    }

    private static List<RecordingCallback> sendNumbered(
            BenchmarkProducer producer, int from, int until, int payloadBytes, IntFunction<@Nullable String> keyOf)
            throws InterruptedException {
        List<RecordingCallback> callbacks = new ArrayList<>();
        for (int i = from; i < until; i++) {
            RecordingCallback callback = new RecordingCallback("message " + i);
            callbacks.add(callback);
            producer.send(keyOf.apply(i), NumberedPayload.of(i, payloadBytes), callback);
        }
        return callbacks;
    }

    /** Sends messages and waits until all are acknowledged. */
    private void sendAll(BenchmarkProducer producer, int from, int until, IntFunction<@Nullable String> keyOf)
            throws InterruptedException {
        awaitAcknowledged(sendNumbered(producer, from, until, PAYLOAD_BYTES, keyOf));
    }

    /** Creates a consumer in subscription {@code s} and returns its listener. */
    private static RecordingListener listener(DriverSession session, TopicSpec topic)
            throws DriverException, InterruptedException {
        RecordingListener listener = new RecordingListener();
        session.consumer(topic, "s", listener);
        return listener;
    }

    /**
     * Waits for messages and asserts that these are all that arrive, up to the end of the test unless a later call
     * expects more.
     */
    private Arrivals expect(String subscription, int from, int until, RecordingListener... listeners) {
        lastLooks.put(
                List.of(listeners), () -> Arrivals.of(subscription, listeners).areExactly(from, until));
        Arrivals arrivals = Arrivals.await(subscription, from, until, patience(), listeners);
        arrivals.areExactly(from, until);
        return arrivals;
    }

    /** Declares that a listener may block. */
    private record BlockingListener(MessageListener listener) implements MessageListener {

        @Override
        public void received(@Nullable String key, byte[] payload, int partition) {
            listener.received(key, payload, partition);
        }

        @Override
        public boolean mayBlock() {
            return true;
        }
    }

    private void awaitLatch(String what, CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(patience().toMillis(), TimeUnit.MILLISECONDS))
                .as("%s; %d are missing", what, latch.getCount())
                .isTrue();
    }

    private void awaitAcknowledged(List<RecordingCallback> callbacks) throws InterruptedException {
        for (RecordingCallback callback : callbacks) {
            callback.awaitAcknowledged(patience());
        }
    }

    private int testPartitions() {
        return Math.min(MAX_TEST_PARTITIONS, capabilities().maxPartitions());
    }

    private int severalPartitionsOrSkip() {
        return testPartitions() > 1 ? testPartitions() : skip("a topic has one partition");
    }

    private static Set<Integer> partitionsBelow(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toSet());
    }
}
