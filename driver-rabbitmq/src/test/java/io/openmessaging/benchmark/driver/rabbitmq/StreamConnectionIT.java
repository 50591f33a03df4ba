package io.openmessaging.benchmark.driver.rabbitmq;

import static io.openmessaging.benchmark.driver.rabbitmq.Sending.TIMEOUT;
import static io.openmessaging.benchmark.driver.rabbitmq.Sending.arrived;
import static io.openmessaging.benchmark.driver.rabbitmq.Sending.sendAcknowledged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.stream.compression.Compression;
import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.StreamOffset;
import io.openmessaging.benchmark.driver.testkit.Arrivals;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedMessages;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.RecordingListener.ReceivedMessage;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of behaviour specific to streams, beyond the contract of all drivers. */
class StreamConnectionIT {

    @RegisterExtension
    static final LocalRabbitMq RABBITMQ = LocalRabbitMq.shared();

    @ParameterizedTest
    @EnumSource(Compression.class)
    void subEntriesArriveWithEveryCompression(Compression compression) throws Exception {
        RabbitMqConfig config = config(
                "queueType",
                QueueType.STREAM,
                "streamSubEntrySize",
                20,
                "streamBatchSize",
                10,
                "streamCompression",
                compression,
                "confirmWindow",
                100);
        try (DriverSession session = open(config)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            sendAcknowledged(session.producer(topic), 0, 1_000);
            assertThat(arrived(listener, 1_000)).hasSize(1_000);
        }
    }

    // Where a subscription starts

    @Test
    void theFirstOffsetBringsAllThatIsThere() throws Exception {
        assertThat(arrivedFromAnEarlierRun(StreamOffset.FIRST, null)).hasSize(110);
    }

    @Test
    void theNextOffsetBringsWhatIsSentFromNowOn() throws Exception {
        assertThat(arrivedFromAnEarlierRun(StreamOffset.NEXT, null)).hasSize(10).doesNotContain(99);
    }

    @Test
    void theLastOffsetBringsTheLastChunkToo() throws Exception {
        assertThat(arrivedFromAnEarlierRun(StreamOffset.LAST, null)).contains(99, 100, 109);
    }

    @Test
    void aTimeInThePastBringsAllThatCameSince() throws Exception {
        Instant anHourAgo = Instant.now().minus(Duration.ofHours(1));
        assertThat(arrivedFromAnEarlierRun(StreamOffset.TIMESTAMP, anHourAgo.toString()))
                .hasSize(110);
    }

    /**
     * Sends messages 0 to 99 before the subscription starts, and 100 to 109 afterwards; returns the numbers that
     * arrive, until 109 has arrived.
     */
    private static List<Integer> arrivedFromAnEarlierRun(StreamOffset offset, @Nullable String timestamp)
            throws Exception {
        RabbitMqConfig config = timestamp == null
                ? config("queueType", QueueType.STREAM, "offset", offset)
                : config("queueType", QueueType.STREAM, "offset", offset, "offsetTimestamp", timestamp);
        try (DriverSession session = open(config)) {
            TopicSpec topic = session.topic(1);
            BenchmarkProducer producer = session.producer(topic);
            sendAcknowledged(producer, 0, 100);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            sendAcknowledged(producer, 100, 110);
            Patience.until(
                    "the last message",
                    () -> NumberedMessages.numbersOf(listener.messages()).contains(109));
            return NumberedMessages.numbersOf(listener.messages());
        }
    }

    // Sharing

    @Test
    void twoSubscriptionsOfFourConsumersShareASuperStream() throws Exception {
        try (DriverSession session = open(config("queueType", QueueType.SUPER_STREAM))) {
            TopicSpec topic = session.topic(6);
            List<RecordingListener> listeners = new ArrayList<>();
            List<ConsumerSpec> specs = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                listeners.add(new RecordingListener());
                specs.add(session.consumerOf(topic, i < 4 ? "first" : "second", listeners.get(i)));
            }
            session.consumers(specs.toArray(ConsumerSpec[]::new));
            sendAcknowledged(session.producer(topic), 0, 600);
            for (List<RecordingListener> subscription : List.of(listeners.subList(0, 4), listeners.subList(4, 8))) {
                Arrivals.await("a subscription", 0, 600, TIMEOUT, subscription.toArray(RecordingListener[]::new))
                        .areExactly(0, 600);
            }
            assertThat(listeners.get(0).messages())
                    .extracting(ReceivedMessage::partition)
                    .containsOnly(0, 4);
            assertThat(listeners.get(3).messages())
                    .extracting(ReceivedMessage::partition)
                    .containsOnly(3);
        }
    }

    @Test
    void ofSeveralConsumersOfAStreamOneReads() throws Exception {
        try (DriverSession session = open(config("queueType", QueueType.STREAM))) {
            TopicSpec topic = session.topic(1);
            RecordingListener first = new RecordingListener();
            RecordingListener second = new RecordingListener();
            List<BenchmarkConsumer> consumers =
                    session.consumers(session.consumerOf(topic, "s", first), session.consumerOf(topic, "s", second));
            consumers.get(1).pause();
            consumers.get(1).resume();
            sendAcknowledged(session.producer(topic), 0, 100);
            assertThat(arrived(first, 100)).hasSize(100);
            assertThat(second.count()).isZero();
        }
    }

    @Test
    void aSubscriptionIsReadFromOnePlace() throws Exception {
        RabbitMqConfig config = config("queueType", QueueType.STREAM);
        try (DriverSession one = open(config);
                DriverSession other = open(config)) {
            TopicSpec topic = one.topic(1);
            BenchmarkConsumer first = one.consumer(topic, "s", new RecordingListener());
            for (DriverSession session : List.of(one, other)) {
                assertThatThrownBy(() -> session.consumer(topic, "s", new RecordingListener()))
                        .isInstanceOf(DriverException.class)
                        .hasMessage("Could not read the subscription 's' of topic '" + topic.name()
                                + "': it has consumers already, and all consumers of a stream's subscription must"
                                + " be created together, on one worker, unless streamSingleActiveConsumer is true");
            }
            one.close(first);
            RecordingListener listener = new RecordingListener();
            other.consumer(topic, "s", listener);
            sendAcknowledged(one.producer(topic), 0, 10);
            assertThat(arrived(listener, 10)).hasSize(10);
        }
    }

    @Test
    void aStreamOfSeveralPartitionsIsRefused() throws Exception {
        try (DriverSession session = open(config("queueType", QueueType.STREAM))) {
            assertThatThrownBy(() -> session.connection().createTopics(List.of(new TopicSpec("wide", 3))))
                    .isInstanceOf(DriverException.class)
                    .hasMessage("Could not create the topic 'wide' with 3 partitions: a stream has one partition;"
                            + " use queueType: SUPER_STREAM");
        }
    }

    // Pausing

    @Test
    void aPausedConsumerGetsTheBacklogInOrder() throws Exception {
        int messages = 20_000;
        try (DriverSession session = open(config("queueType", QueueType.STREAM))) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            RecordingListener witness = new RecordingListener();
            BenchmarkConsumer consumer = session.consumer(topic, "s", listener);
            session.consumer(topic, "witness", witness);
            consumer.pause();
            sendAcknowledged(session.producer(topic), 0, messages);
            witness.awaitMessages(messages, TIMEOUT);
            assertThat(listener.count()).isZero();
            consumer.resume();
            listener.awaitMessages(messages, TIMEOUT);
            assertThat(NumberedMessages.numbersOf(listener.messages()))
                    .hasSize(messages)
                    .isSorted()
                    .doesNotHaveDuplicates();
        }
    }

    // Errors

    @Test
    void aMessageLargerThanAFrameFailsAndOthersGoOn() throws Exception {
        try (DriverSession session = open(config("queueType", QueueType.STREAM, "confirmWindow", 5))) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            for (int i = 0; i < 20; i++) {
                RecordingCallback tooLarge = new RecordingCallback("2 MB");
                producer.send(null, new byte[2_000_000], tooLarge);
                assertThat(tooLarge.awaitFailed(TIMEOUT)).hasMessageContaining("too big");
                sendAcknowledged(producer, i, i + 1);
            }
            assertThat(arrived(listener, 20)).hasSize(20);
        }
    }

    @Test
    void aProducerOfAStreamThatIsNotThereIsAnErrorThatNamesIt() throws Exception {
        try (DriverSession session = open(config("queueType", QueueType.STREAM))) {
            assertThatThrownBy(() -> session.producer(new TopicSpec("nowhere", 1)))
                    .isInstanceOf(DriverException.class)
                    .hasMessageStartingWith("Could not create producer 1 of 1: ")
                    .hasMessageContaining("nowhere");
        }
    }

    @Test
    void theClientKeepsTheArray() throws Exception {
        try (DriverSession session = open(config("queueType", QueueType.SUPER_STREAM))) {
            assertThat(session.connection().payloadOwnership()).isEqualTo(PayloadOwnership.KEPT_AFTER_SEND);
        }
    }

    @Test
    void onlyTheGivenAddressIsUsedWhereNodesAdvertiseOthers() throws Exception {
        try (DriverSession session = open(config("queueType", QueueType.STREAM, "streamAdvertisedAddresses", false))) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            sendAcknowledged(session.producer(topic), 0, 10);
            assertThat(arrived(listener, 10)).hasSize(10);
        }
    }

    // Helpers

    private static RabbitMqConfig config(Object... keysAndValues) {
        return RABBITMQ.config(keysAndValues);
    }

    private static DriverSession open(RabbitMqConfig config) throws DriverException, InterruptedException {
        return DriverSession.open(new RabbitMqBenchmarkDriver(), config, TIMEOUT);
    }
}
