package io.openmessaging.benchmark.driver.rabbitmq;

import static io.openmessaging.benchmark.driver.rabbitmq.Sending.TIMEOUT;
import static io.openmessaging.benchmark.driver.rabbitmq.Sending.arrived;
import static io.openmessaging.benchmark.driver.rabbitmq.Sending.send;
import static io.openmessaging.benchmark.driver.rabbitmq.Sending.sendAcknowledged;
import static io.openmessaging.benchmark.suite.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.ExchangeType;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.rabbitmq.config.TestConfigs;
import io.openmessaging.benchmark.driver.rabbitmq.connection.Channels;
import io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqCalls;
import io.openmessaging.benchmark.driver.testkit.Arrivals;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.RecordingListener.ReceivedMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of behaviour specific to queues, beyond the contract of all drivers. */
@Isolated("counts the threads of the process")
class QueueConnectionIT {

    @RegisterExtension
    static final LocalRabbitMq RABBITMQ = LocalRabbitMq.shared();

    // Loss shows

    @Test
    void aQueueThatDropsItsHeadDeliversFewerMessagesThanWereAcknowledged() throws Exception {
        RabbitMqConfig config = config("queueArguments", Map.of("x-max-length", "10", "x-overflow", "drop-head"));
        assertThat(arrivedAfterAPause(config, 10))
                .isEqualTo(IntStream.range(90, 100).boxed().toList());
    }

    @Test
    void messagesThatExpireAreAcknowledgedAndNeverArrive() throws Exception {
        RabbitMqConfig config = config("queueArguments", Map.of("x-message-ttl", "1"));
        assertThat(arrivedAfterAPause(config, 0)).isEmpty();
    }

    /**
     * Sends 100 messages to a paused consumer, resumes it once only {@code left} messages remain in the queue, and
     * returns the numbers of those that it receives.
     */
    private static List<Integer> arrivedAfterAPause(RabbitMqConfig config, int left) throws Exception {
        try (DriverSession session = open(config)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            BenchmarkConsumer consumer = session.consumer(topic, "s", listener);
            consumer.pause();
            sendAcknowledged(session.producer(topic), 0, 100);
            try (Connection connection = amqp();
                    Channel channel = connection.createChannel()) {
                String queue = topic.name() + ".s-0";
                await("what is left in the queue").until(() -> channel.messageCount(queue) == left);
                consumer.resume();
                await("the queue is read").until(() -> channel.messageCount(queue) == 0 && listener.count() >= left);
            }
            session.close(consumer);
            assertThat(session.events().clientErrors()).isEmpty();
            return arrived(listener, left);
        }
    }

    // Refusals are counted

    @Test
    void messagesThatAFullQueueRejectsFailAndAreCounted() throws Exception {
        RabbitMqConfig config = config("queueArguments", Map.of("x-max-length", "10", "x-overflow", "reject-publish"));
        try (DriverSession session = open(config)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            BenchmarkConsumer consumer = session.consumer(topic, "s", listener);
            consumer.pause();
            BenchmarkProducer producer = session.producer(topic);
            List<RecordingCallback> callbacks = send(producer, 0, 100);
            session.close(producer);
            List<Integer> acknowledged = IntStream.range(0, 100)
                    .filter(i -> callbacks.get(i).acknowledgements() == 1)
                    .boxed()
                    .toList();
            long failed = callbacks.stream()
                    .filter(c -> c.failures().toString().contains("nack"))
                    .count();
            assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(10);
            assertThat(failed).isPositive();
            assertThat(acknowledged.size() + failed).isEqualTo(100);
            assertThat(kinds(session)).containsExactly("message nacked");
            assertThat(session.events().clientErrors()).hasSize((int) failed);
            consumer.resume();
            assertThat(arrived(listener, acknowledged.size())).isEqualTo(acknowledged);
        }
    }

    @Test
    void messagesThatReachNoQueueFailAndAreCounted() throws Exception {
        try (DriverSession session = open(config())) {
            TopicSpec topic = session.topic(1);
            session.close(session.consumer(topic, "s", new RecordingListener()));
            BenchmarkProducer producer = session.producer(topic);
            try (Connection connection = amqp();
                    Channel channel = connection.createChannel()) {
                channel.queueDelete(topic.name() + ".s-0");
            }
            for (RecordingCallback callback : send(producer, 0, 50)) {
                assertThat(callback.awaitFailed(TIMEOUT)).hasMessageContaining("no queue is bound");
            }
            assertThat(kinds(session)).containsExactly("message returned");
            assertThat(session.events().clientErrors()).hasSize(50);
        }
    }

    @Test
    void withoutASubscriptionNobodyMissesAMessage() throws Exception {
        try (DriverSession session = open(config())) {
            sendAcknowledged(session.producer(session.topic(2)), 0, 50);
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }

    @Test
    void aChannelThatTheBrokerClosesFailsItsMessagesAndIsReplaced() throws Exception {
        try (DriverSession session = open(config())) {
            TopicSpec topic = session.topic(1);
            BenchmarkProducer producer = session.producer(topic);
            RecordingCallback tooLarge = new RecordingCallback("a large message");
            producer.send(null, new byte[2 * LocalRabbitMq.MAX_MESSAGE_BYTES], tooLarge);
            assertThat(RabbitMqCalls.reason(tooLarge.awaitFailed(TIMEOUT)))
                    .startsWith("PRECONDITION_FAILED")
                    .contains("size");
            await("the new channel").until(() -> kinds(session).contains("reconnected"));
            sendAcknowledged(producer, 0, 50);
            assertThat(kinds(session)).containsExactly("channel closed", "reconnected");
            assertThat(session.events().fatals()).isEmpty();
        }
    }

    @Test
    void aConsumerWhoseQueueIsDeletedEndsTheRun() throws Exception {
        try (DriverSession session = open(config())) {
            TopicSpec topic = session.topic(1);
            session.consumer(topic, "s", new RecordingListener());
            try (Connection connection = amqp();
                    Channel channel = connection.createChannel()) {
                channel.queueDelete(topic.name() + ".s-0");
            }
            await("the end of the run").until(() -> !session.events().fatals().isEmpty());
            assertThat(session.events().fatals())
                    .singleElement()
                    .asString()
                    .contains(
                            "A queue of consumer",
                            "topic '" + topic.name() + "', subscription 's' was deleted: NOT_FOUND");
            assertThat(kinds(session)).contains("consumer cancelled");
        }
    }

    // Settings

    @Test
    void withoutConfirmsAMessageIsAcknowledgedWhenItIsWritten() throws Exception {
        try (DriverSession session = open(config("publisherConfirms", false))) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            assertThat(send(session.producer(topic), 0, 100)).allMatch(c -> c.acknowledgements() == 1);
            assertThat(arrived(listener, 100)).hasSize(100);
        }
    }

    @ParameterizedTest
    @EnumSource(ExchangeType.class)
    void everyTypeOfExchangeCarriesATopicOfOnePartition(ExchangeType type) throws Exception {
        try (DriverSession session = open(config("exchangeType", type))) {
            TopicSpec topic = session.topic(1);
            RecordingListener first = new RecordingListener();
            RecordingListener second = new RecordingListener();
            session.consumers(session.consumerOf(topic, "a", first), session.consumerOf(topic, "b", second));
            sendAcknowledged(session.producer(topic), 0, 50);
            assertThat(arrived(first, 50)).hasSize(50);
            assertThat(arrived(second, 50)).hasSize(50);
        }
    }

    @Test
    void aFanoutExchangeOfSeveralPartitionsIsRefused() throws Exception {
        try (DriverSession session = open(config("exchangeType", ExchangeType.FANOUT))) {
            assertThatThrownBy(() -> session.connection().createTopics(List.of(new TopicSpec("wide", 2))))
                    .isInstanceOf(DriverException.class)
                    .hasMessage("Could not create the topic 'wide' with 2 partitions: a fanout exchange gives every"
                            + " message to every queue; use exchangeType: direct");
        }
    }

    @Test
    void quorumQueuesTakeTheirInitialGroupSize() throws Exception {
        RabbitMqConfig config = config(
                "queueType", QueueType.QUORUM, "quorumInitialGroupSize", 1, "autoAck", false, "prefetchCount", 4);
        try (DriverSession session = open(config)) {
            TopicSpec topic = session.topic(2);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            sendAcknowledged(session.producer(topic), 0, 100);
            assertThat(arrived(listener, 100)).hasSize(100);
        }
    }

    @Test
    void anArgumentThatTheBrokerDoesNotTakeIsAnErrorWithItsReason() throws Exception {
        try (DriverSession session = open(config("queueArguments", Map.of("x-max-length", "many")))) {
            TopicSpec topic = session.topic(1);
            assertThatThrownBy(() -> session.consumer(topic, "s", new RecordingListener()))
                    .isInstanceOf(DriverException.class)
                    .hasMessageStartingWith("Could not create the subscription 's' of topic '" + topic.name()
                            + "': PRECONDITION_FAILED - invalid arg 'x-max-length'");
        }
    }

    @Test
    void aProducerOfATopicThatIsNotThereIsAnErrorWithTheBrokersReason() throws Exception {
        try (DriverSession session = open(config())) {
            assertThatThrownBy(() -> session.producer(new TopicSpec("nowhere", 1)))
                    .isInstanceOf(DriverException.class)
                    .hasMessageStartingWith("Could not create producer 1 of 1: NOT_FOUND - no queue 'nowhere");
        }
    }

    @Test
    void clientsAreCreatedInBatchesWithAWait() throws Exception {
        RabbitMqConfig config = config("producerCreationBatchSize", 2, "producerCreationDelay", 200);
        try (DriverSession session = open(config)) {
            TopicSpec topic = session.topic(1);
            long startNs = System.nanoTime();
            session.producers(topic, topic, topic, topic, topic);
            assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isGreaterThan(Duration.ofMillis(400));
        }
    }

    // Clients

    @Test
    void oneOfSeveralBrokersThatDoesNotAnswerIsPassedOver() throws Exception {
        RabbitMqConfig config =
                TestConfigs.of("amqpUris", List.of("amqp://127.0.0.1:1", "amqp://" + RABBITMQ.address()));
        try (DriverSession session = open(config)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            sendAcknowledged(session.producer(topic), 0, 50);
            assertThat(arrived(listener, 50)).hasSize(50);
            assertThat(kinds(session)).containsExactly("broker not reached");
        }
    }

    @Test
    void manyClientsShareFewConnectionsAndProducersNoneWithConsumers() throws Exception {
        RabbitMqConfig config = config("connectionsPerProducers", 2, "connectionsPerConsumers", 1);
        Set<String> before = threads();
        try (DriverSession session = open(config)) {
            TopicSpec topic = session.topic(2);
            RecordingListener listener = new RecordingListener();
            List<ConsumerSpec> specs = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                specs.add(session.consumerOf(topic, "s", listener));
            }
            session.consumers(specs.toArray(ConsumerSpec[]::new));
            List<BenchmarkProducer> producers = session.producers(topic, topic, topic, topic, topic);
            for (int i = 0; i < producers.size(); i++) {
                sendAcknowledged(producers.get(i), i * 20, i * 20 + 20);
            }
            assertThat(arrived(listener, 100)).hasSize(100);
            Set<String> opened = threads();
            opened.removeAll(before);
            assertThat(opened.stream().filter(name -> name.startsWith("rabbitmq-producers")))
                    .hasSize(2);
            assertThat(opened.stream().filter(name -> name.startsWith("rabbitmq-consumers")))
                    .hasSize(1);
        }
    }

    /** Returns the names of the reading threads, one for each connection, made unique by the threads' ids. */
    private static Set<String> threads() {
        Set<String> names = new HashSet<>();
        Thread.getAllStackTraces().keySet().forEach(thread -> names.add(thread.getName() + "#" + thread.getId()));
        names.removeIf(name -> !name.startsWith("rabbitmq-"));
        return names;
    }

    @Test
    void consumersOfOneSubscriptionDivideTheQueues() throws Exception {
        try (DriverSession session = open(config())) {
            TopicSpec topic = session.topic(4);
            List<RecordingListener> listeners = List.of(new RecordingListener(), new RecordingListener());
            session.consumers(
                    session.consumerOf(topic, "s", listeners.get(0)), session.consumerOf(topic, "s", listeners.get(1)));
            sendAcknowledged(session.producer(topic), 0, 200);
            Arrivals.await("the subscription", 0, 200, TIMEOUT, listeners.toArray(RecordingListener[]::new))
                    .areExactly(0, 200);
            for (int i = 0; i < 2; i++) {
                assertThat(listeners.get(i).messages())
                        .extracting(ReceivedMessage::partition)
                        .containsOnly(i, i + 2);
            }
        }
    }

    @Test
    void aLongKeyArrivesToo() throws Exception {
        String key = "鍵".repeat(300);
        try (DriverSession session = open(config())) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            RecordingCallback callback = new RecordingCallback("a message with a long key");
            session.producer(topic).send(key, new byte[10], callback);
            callback.awaitAcknowledged(TIMEOUT);
            assertThat(listener.awaitMessages(1, TIMEOUT).get(0).key()).isEqualTo(key);
        }
    }

    @Test
    void nothingOfATopicStaysBehind() throws Exception {
        try (DriverSession session = open(config())) {
            TopicSpec topic = session.topic(2);
            session.close(session.consumer(topic, "s", new RecordingListener()));
            session.connection().deleteTopics(List.of(topic));
            for (String queue : List.of(".s-0", ".s-1", ".subscriptions")) {
                assertThat(queueExists(topic.name() + queue)).as(queue).isFalse();
            }
        }
    }

    private static boolean queueExists(String name) throws Exception {
        try (Connection connection = amqp()) {
            Channel channel = connection.createChannel();
            try {
                channel.queueDeclarePassive(name);
                return true;
            } catch (IOException e) {
                assertThat(Channels.replyCode(e)).isEqualTo(404);
                return false;
            }
        }
    }

    @Test
    void anExistingQueueIsComparedWithTheDriverFile() throws Exception {
        String queue = "others-" + System.nanoTime();
        try (Connection connection = amqp();
                Channel channel = connection.createChannel()) {
            channel.queueDeclare(queue, false, false, false, Map.of());
            assertRefused(queue, QueueType.QUORUM, "'durable'", "received 'true' but current is 'false'");
            assertThat(guaranteeOf(queue, QueueType.CLASSIC).storage()).isEqualTo(Storage.MEMORY);
            channel.queueDelete(queue);

            channel.queueDeclare(queue, true, false, false, Map.of());
            assertRefused(queue, QueueType.QUORUM, "'x-queue-type'", "received 'quorum' but current is 'classic'");
            assertRefused(queue, QueueType.STREAM, "'x-queue-type'", "received 'stream' but current is 'classic'");
            channel.queueDelete(queue);

            channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum"));
            assertThat(guaranteeOf(queue, QueueType.QUORUM))
                    .returns(1, Guarantee::copies)
                    .returns(true, Guarantee::survivesPowerCut);
            assertRefused(queue, QueueType.CLASSIC, "'x-queue-type'", "received 'classic' but current is 'quorum'");
            channel.queueDelete(queue);

            channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum", "x-max-length", 10));
            assertThat(guaranteeOf(queue, QueueType.QUORUM))
                    .returns(Storage.UNKNOWN, Guarantee::storage)
                    .returns(false, Guarantee::survivesKill);
            channel.queueDelete(queue);
        }
        assertThatThrownBy(() -> guaranteeOf(queue, QueueType.QUORUM)).hasMessageContaining("NOT_FOUND - no queue");
        assertThat(queueExists(queue)).isFalse();
    }

    /** Uses an existing queue and returns its guarantee. */
    private static Guarantee guaranteeOf(String queue, QueueType type) throws Exception {
        try (DriverSession session = open(config("queueType", type, "existingTopics", List.of(queue)))) {
            assertThat(session.existing(queue, 1).name()).isEqualTo(queue);
            return Objects.requireNonNull(session.connection().describeBroker().guarantee());
        }
    }

    private static void assertRefused(String queue, QueueType type, String difference, String answer) {
        assertThatThrownBy(() -> guaranteeOf(queue, type))
                .isInstanceOf(DriverException.class)
                .hasMessageStartingWith("Could not use the topic '" + queue + "' (partitions 1, " + type
                        + "): the existing queue '" + queue + "' is not what the driver file says, queueType: " + type
                        + "; RabbitMQ answered: PRECONDITION_FAILED - inequivalent arg " + difference)
                .hasMessageContaining(answer);
    }

    @Test
    void theBrokerIsDescribed() throws Exception {
        try (DriverSession session = open(config())) {
            BrokerDescription broker = session.connection().describeBroker();
            assertThat(broker.product()).isEqualTo("RabbitMQ");
            assertThat(broker.version()).matches("\\d+\\.\\d+\\.\\d+.*");
            assertThat(broker.nodes()).containsExactly(RABBITMQ.address());
            assertThat(broker.settings()).containsKeys("cluster name", "platform");
            assertThat(session.connection().payloadOwnership()).isEqualTo(PayloadOwnership.COPIED_ON_SEND);
        }
    }

    // Helpers

    private static RabbitMqConfig config(Object... keysAndValues) {
        return RABBITMQ.config(keysAndValues);
    }

    private static DriverSession open(RabbitMqConfig config) throws DriverException, InterruptedException {
        return DriverSession.open(new RabbitMqBenchmarkDriver(), config, TIMEOUT);
    }

    private static List<String> kinds(DriverSession session) {
        return session.events().clientErrors().stream()
                .map(RecordingEvents.ClientError::kind)
                .distinct()
                .toList();
    }

    private static Connection amqp() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri("amqp://" + RABBITMQ.address());
        return factory.newConnection();
    }
}
