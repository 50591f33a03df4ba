package io.openmessaging.benchmark.driver.artemis;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static io.openmessaging.benchmark.suite.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedMessages;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of behaviour specific to Artemis, beyond the contract of all drivers. */
@Isolated("counts the threads of the clients")
class ArtemisConnectionIT {

    // Topics

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void aTopicThatIsThereWithOtherPartitionsIsRefused(int partitions) throws Exception {
        try (DriverSession session = open(Map.of())) {
            TopicSpec topic = session.topic(partitions);
            TopicSpec wider = new TopicSpec(topic.name(), 5);
            assertThatThrownBy(() -> session.connection().createTopics(List.of(wider)))
                    .isInstanceOf(DriverException.class)
                    .hasMessage("Could not create the topic '" + topic.name() + "' (partitions 5): one of that name"
                            + " already exists, with " + partitions + (partitions == 1 ? " partition" : " partitions"));
        }
    }

    @Test
    void aTopicThatIsThereWithAnotherRoutingIsRefused() throws Exception {
        try (DriverSession session = open(Map.of());
                DriverSession other = open(Map.of("routing", RoutingType.ANYCAST))) {
            TopicSpec topic = session.topic(1);
            assertThatThrownBy(() -> other.connection().createTopics(List.of(topic)))
                    .isInstanceOf(DriverException.class)
                    .hasMessage("Could not create the topic '" + topic.name() + "' (partitions 1): one of that name"
                            + " already exists, and its routing is not ANYCAST");
        }
    }

    @Test
    void aConsumerOfATopicThatIsNotThereIsAnErrorThatNamesIt() throws Exception {
        try (DriverSession session = open(Map.of())) {
            ConsumerSpec spec = session.consumerOf(new TopicSpec("nowhere", 1), "s", new RecordingListener());
            assertThatThrownBy(() -> session.consumers(spec))
                    .isInstanceOf(DriverException.class)
                    .hasMessageStartingWith(
                            "Could not create consumer " + spec.id() + " of topic 'nowhere', subscription 's': ")
                    .hasMessageContaining("nowhere");
        }
    }

    // Messages

    @ParameterizedTest
    @ValueSource(ints = {10, 102_300, 102_400, 500_000, 1 << 20, 4 << 20})
    void messagesOfAllSizesArrive(int bytes) throws Exception {
        try (DriverSession session = open(Map.of())) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            NumberedMessages.sendAcknowledged(session.producer(topic), 0, 10, bytes);
            NumberedMessages.assertGotAll(List.of(listener), 0, 10);
            assertThat(listener.messages()).allMatch(message -> message.payload().length == bytes);
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }

    @Test
    void aMessageThatIsNotSentInPartsIsKeptWhole() throws Exception {
        try (DriverSession session = open(Map.of("minLargeMessageSize", 10 << 20))) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            NumberedMessages.sendAcknowledged(session.producer(topic), 0, 5, 4 << 20);
            NumberedMessages.assertGotAll(List.of(listener), 0, 5);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withoutAWindowSendsArriveAndAreAnsweredWhenTheyReturn(boolean block) throws Exception {
        try (DriverSession session = open(Map.of("confirmationWindowSize", -1, "blockOnDurableSend", block))) {
            TopicSpec topic = session.topic(2);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            List<RecordingCallback> callbacks = NumberedMessages.send(session.producer(topic), 0, 100, 100);
            assertThat(callbacks).allMatch(callback -> callback.acknowledgements() == 1, "acknowledged");
            NumberedMessages.assertGotAll(List.of(listener), 0, 100);
            assertThat(callbacks).allMatch(callback -> callback.calls() == 1, "called once");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000})
    void aSmallWindowDoesNotAnswerTwice(int window) throws Exception {
        try (DriverSession session = open(Map.of("confirmationWindowSize", window))) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            List<RecordingCallback> callbacks = NumberedMessages.send(producer, 0, 1000, 100);
            NumberedMessages.assertGotAll(List.of(listener), 0, 1000);
            session.close(producer);
            assertThat(callbacks).allMatch(callback -> callback.calls() == 1, "called once");
            assertThat(callbacks).allMatch(callback -> callback.acknowledgements() == 1, "acknowledged");
        }
    }

    @Test
    void withoutProducerCreditsMessagesArriveAsWell() throws Exception {
        try (DriverSession session = open(Map.of("producerWindowSize", -1, "consumerWindowSize", -1))) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            NumberedMessages.sendAcknowledged(session.producer(topic), 0, 1000, 1000);
            NumberedMessages.assertGotAll(List.of(listener), 0, 1000);
        }
    }

    // Subscriptions

    @Test
    void twoSubscriptionsOfFourConsumersShareFourPartitions() throws Exception {
        int messages = 2000;
        try (DriverSession session = open(Map.of())) {
            TopicSpec topic = session.topic(4);
            BenchmarkProducer producer = session.producer(topic);
            List<RecordingListener> listeners = new ArrayList<>();
            List<ConsumerSpec> specs = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                listeners.add(new RecordingListener());
                specs.add(session.consumerOf(topic, i < 4 ? "first" : "second", listeners.get(i)));
            }
            session.consumers(specs.toArray(ConsumerSpec[]::new));
            NumberedMessages.sendAcknowledged(producer, 0, messages, 100);
            NumberedMessages.assertGotAll(listeners.subList(0, 4), 0, messages);
            NumberedMessages.assertGotAll(listeners.subList(4, 8), 0, messages);
            assertThat(listeners).allMatch(listener -> listener.count() > 0, "has got its share");
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1 << 20})
    void whatWasDeliveredIsNotDeliveredAgainToAConsumerThatTakesOver(int ackBatchSize) throws Exception {
        try (DriverSession session = open(Map.of("ackBatchSize", ackBatchSize))) {
            TopicSpec topic = session.topic(4);
            BenchmarkProducer producer = session.producer(topic);
            RecordingListener before = new RecordingListener();
            BenchmarkConsumer first = session.consumer(topic, "s", before);
            NumberedMessages.sendAcknowledged(producer, 0, 100, 100);
            before.awaitMessages(100, TIMEOUT);
            session.close(first);
            RecordingListener after = new RecordingListener();
            session.consumer(topic, "s", after);
            NumberedMessages.sendAcknowledged(producer, 100, 200, 100);
            NumberedMessages.assertGotAll(List.of(after), 100, 200);
        }
    }

    @Test
    void whatAConsumerHadOnlyFetchedIsDeliveredToTheNext() throws Exception {
        try (DriverSession session = open(Map.of())) {
            TopicSpec topic = session.topic(1);
            BenchmarkProducer producer = session.producer(topic);
            BenchmarkConsumer first = session.consumer(topic, "s", new RecordingListener());
            first.pause();
            NumberedMessages.sendAcknowledged(producer, 0, 100, 100);
            session.close(first);
            RecordingListener second = new RecordingListener();
            session.consumer(topic, "s", second);
            NumberedMessages.assertGotAll(List.of(second), 0, 100);
        }
    }

    @Test
    void autoAckDeliversEachMessageOnce() throws Exception {
        try (DriverSession session = open(Map.of("autoAck", true))) {
            TopicSpec topic = session.topic(1);
            List<RecordingListener> listeners = List.of(new RecordingListener(), new RecordingListener());
            session.consumers(
                    session.consumerOf(topic, "s", listeners.get(0)), session.consumerOf(topic, "s", listeners.get(1)));
            NumberedMessages.sendAcknowledged(session.producer(topic), 0, 200, 100);
            NumberedMessages.assertGotAll(listeners, 0, 200);
        }
    }

    // Point to point

    @Test
    void withAnycastConsumersShareAndOrderIsKept() throws Exception {
        try (DriverSession session = open(Map.of("routing", RoutingType.ANYCAST))) {
            TopicSpec topic = session.topic(2);
            List<RecordingListener> listeners = List.of(new RecordingListener(), new RecordingListener());
            session.consumers(
                    session.consumerOf(topic, "s", listeners.get(0)), session.consumerOf(topic, "s", listeners.get(1)));
            NumberedMessages.sendAcknowledged(session.producer(topic), 0, 1000, 100);
            NumberedMessages.assertGotAll(listeners, 0, 1000);
            for (RecordingListener listener : listeners) {
                for (int partition = 0; partition < 2; partition++) {
                    int wanted = partition;
                    assertThat(listener.messages())
                            .filteredOn(message -> message.partition() == wanted)
                            .extracting(message -> NumberedPayload.numberOf(message.payload()))
                            .as("messages of partition %d", wanted)
                            .isNotEmpty()
                            .isSorted();
                }
            }
        }
    }

    @Test
    void withAnycastASecondSubscriptionIsRefused() throws Exception {
        try (DriverSession session = open(Map.of("routing", RoutingType.ANYCAST))) {
            TopicSpec topic = session.topic(1);
            session.consumer(topic, "first", new RecordingListener());
            ConsumerSpec second = session.consumerOf(topic, "second", new RecordingListener());
            assertThatThrownBy(() -> session.consumers(second))
                    .isInstanceOf(DriverException.class)
                    .hasMessage("Could not create the queue '" + topic.name() + "..second': the address '"
                            + topic.name() + "' has the queue '" + topic.name() + "..first' already, and with routing"
                            + " ANYCAST each message goes to one queue only; several subscriptions need MULTICAST");
        }
    }

    // Description and end

    @Test
    void theBrokerIsDescribedWithTheJournalInForce() throws Exception {
        try (DriverSession session = open(Map.of())) {
            BrokerDescription broker = session.connection().describeBroker();
            assertThat(broker.product()).isEqualTo("Apache Artemis");
            assertThat(broker.version())
                    .isEqualTo(LocalArtemis.shared().broker().version());
            assertThat(broker.nodes()).isEqualTo(LocalArtemis.shared().addresses());
            assertThat(broker.settings())
                    .containsEntry("journal type", "NIO")
                    .containsEntry("persistence enabled", "true")
                    .containsEntry("journal-datasync", "true")
                    .containsEntry("large-message-sync", "true")
                    .containsKey("node id");
        }
    }

    @Test
    void oneOfSeveralBrokersThatDoesNotAnswerIsPassedOver() throws Exception {
        String live = LocalArtemis.shared().addresses().get(0);
        ArtemisConfig config = TestConfigs.with("brokerAddress", "(tcp://127.0.0.1:1,tcp://" + live + ")");
        try (DriverSession session = DriverSession.open(new ArtemisBenchmarkDriver(), config, TIMEOUT)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            NumberedMessages.sendAcknowledged(session.producer(topic), 0, 10, 100);
            NumberedMessages.assertGotAll(List.of(listener), 0, 10);
            assertThat(session.events().clientErrors())
                    .extracting(RecordingEvents.ClientError::kind)
                    .containsOnly("broker not reached");
        }
    }

    @Test
    void anUnknownHostIsASentenceThatNamesIt() {
        ArtemisConfig config = TestConfigs.with("brokerAddress", "tcp://no-such-host.invalid:61616");
        assertThatThrownBy(() -> DriverSession.open(new ArtemisBenchmarkDriver(), config, TIMEOUT))
                .isInstanceOf(DriverException.class)
                .hasMessage("Could not reach Artemis at no-such-host.invalid:61616: the host name cannot be resolved");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingIsLeftOnceTheConnectionIsClosed(boolean shared) throws Exception {
        try (DriverSession session = open(Map.of("sharedConnection", shared))) {
            TopicSpec topic = session.topic(2);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            List<BenchmarkProducer> producers = session.producers(topic, topic);
            NumberedMessages.sendAcknowledged(producers.get(0), 0, 10, 100);
            NumberedMessages.sendAcknowledged(producers.get(1), 10, 20, 100);
            NumberedMessages.assertGotAll(List.of(listener), 0, 20);
            session.close(producers.get(0));
            NumberedMessages.sendAcknowledged(producers.get(1), 20, 30, 100);
            assertThat(session.events().fatals()).isEmpty();
        }
        await("end of the client's threads")
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .noneMatch(name -> name.startsWith("artemis-")));
    }

    private static DriverSession open(Map<String, ?> keys) throws DriverException, InterruptedException {
        ArtemisConfig config = LocalArtemis.shared().reach(TestConfigs.with(keys));
        return DriverSession.open(new ArtemisBenchmarkDriver(), config, TIMEOUT);
    }
}
