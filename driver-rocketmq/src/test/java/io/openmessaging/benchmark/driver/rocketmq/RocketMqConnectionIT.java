package io.openmessaging.benchmark.driver.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.Protocol;
import io.openmessaging.benchmark.driver.rocketmq.client.RemotingShutdown;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.RecordingListener.ReceivedMessage;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import io.openmessaging.benchmark.driver.testkit.guarantee.DocumentedGuarantee;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;
import org.apache.rocketmq.remoting.protocol.body.Connection;
import org.apache.rocketmq.remoting.protocol.body.ConsumerConnection;
import org.apache.rocketmq.remoting.protocol.route.BrokerData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of behaviour specific to RocketMQ, beyond the contract of all drivers. */
class RocketMqConnectionIT {

    @RegisterExtension
    static final LocalRocketMq ROCKETMQ = new LocalRocketMq();

    private static final Duration TIMEOUT = Patience.LIMIT;
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final int MIB = 1024 * 1024;

    // Sizes

    @ParameterizedTest
    @CsvSource({"REMOTING, 1048576", "REMOTING, 4194304", "GRPC, 1048576", "GRPC, 4194304"})
    void largeMessagesPass(Protocol protocol, int bytes) throws Exception {
        try (DriverSession session = open(Map.of("protocol", protocol, "awaitDuration", SHORT))) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            sendAll(session.producer(topic), 0, 4, bytes);
            assertThat(listener.awaitMessages(4, TIMEOUT))
                    .allSatisfy(message -> assertThat(message.payload()).hasSize(bytes));
            assertNumbers(listener, 0, 4);
        }
    }

    @Test
    void aMessageTooLargeForTheBrokerFailsWithItsReason() throws Exception {
        try (DriverSession session =
                open(Map.of("maxMessageSize", 16 * MIB, "compressMsgBodyOverHowmuch", Integer.MAX_VALUE))) {
            BenchmarkProducer producer = session.producer(session.topic(1));
            RecordingCallback callback = new RecordingCallback("5 MiB");
            producer.send(null, new byte[5 * MIB], callback);
            assertThat(callback.awaitFailed(TIMEOUT)).hasMessageContaining("message is illegal");
        }
    }

    // The shipped files

    static List<ShippedDriverFile> files() {
        return ShippedDriverFile.all();
    }

    /** Tests each file unchanged, except for the addresses and the properties that it expects of its own broker. */
    @ParameterizedTest
    @MethodSource("files")
    @LongSuite("DriverFilesTest checks the files, and the other tests what is in them")
    void messagesTravel(ShippedDriverFile file) throws Exception {
        int messages = 500;
        ShippedDriverFile own = new ShippedDriverFile(
                file.path(), file.keys().without("flushDiskType").without("brokerRole"));
        RocketMqConfig config = ROCKETMQ.reach(TestConfigs.patient(own.config(RocketMqConfig.class)));
        try (DriverSession session = DriverSession.open(new RocketMQBenchmarkDriver(), config, TIMEOUT)) {
            // This broker is not the one that the file requests.
            if (file.brokerSettings().get("flushDiskType") == null) {
                assertThat(DocumentedGuarantee.of(
                                session.connection().describeBroker().guarantee()))
                        .isEqualTo(DocumentedGuarantee.of(file));
            }
            TopicSpec topic = session.topic(3);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            sendAll(session.producer(topic), 0, messages, 1024);
            listener.awaitMessages(messages, TIMEOUT);
            assertNumbers(listener, 0, messages);
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }

    @Test
    void queuesThatKeepBatchesWork() throws Exception {
        Map<String, Object> keys = Map.of(
                "batchCQ",
                true,
                "autoBatch",
                true,
                "batchMaxBytes",
                16_384,
                "batchMaxDelayMs",
                5,
                "totalBatchMaxBytes",
                1_048_576);
        try (DriverSession session = open(keys)) {
            TopicSpec topic = session.topic(2);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            sendAll(session.producer(topic), 0, 1000, 100);
            listener.awaitMessages(1000, TIMEOUT);
            assertNumbers(listener, 0, 1000);
        }
    }

    // Errors

    @Test
    void aTopicThatIsThereWithOtherPartitionsIsRefused() throws Exception {
        try (DriverSession session = open(Map.of())) {
            TopicSpec topic = session.topic(2);
            assertThatThrownBy(() -> session.connection().createTopics(List.of(new TopicSpec(topic.name(), 5))))
                    .isInstanceOf(DriverException.class)
                    .hasMessage("Could not create the topic '" + topic.name()
                            + "' (partitions 5): one of that name already exists, with 2 partitions");
        }
    }

    @Test
    void aClusterThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> open(Map.of("clusterName", "Other")))
                .isInstanceOf(DriverException.class)
                .hasMessageContaining("lists no cluster 'Other' (clusterName); it lists DefaultCluster");
    }

    @Test
    void aBrokerThatIsSetUpOtherwiseIsRefused() {
        assertThatThrownBy(() -> open(Map.of(
                        "flushDiskType",
                        RocketMqConfig.FlushDiskType.SYNC_FLUSH,
                        "brokerRole",
                        RocketMqConfig.BrokerRole.ASYNC_MASTER)))
                .isInstanceOf(DriverException.class)
                .hasMessageStartingWith(
                        "RocketMQ is not set up as the driver file expects: flushDiskType is expected to be"
                                + " SYNC_FLUSH, but the broker at 127.0.0.1:")
                .hasMessageEndingWith(" has ASYNC_FLUSH");
    }

    @Test
    void aProxyThatIsNotThereIsAnErrorThatNamesIt() throws Exception {
        String address;
        try (ServerSocket reserved = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            address = "127.0.0.1:" + reserved.getLocalPort();
        }
        RocketMQBenchmarkDriver driver = new RocketMQBenchmarkDriver();
        RocketMqConfig config = driver.withEndpoint(
                ROCKETMQ.reach(TestConfigs.of(Map.of("protocol", Protocol.GRPC))), "grpc", List.of(address));
        try (DriverSession session = DriverSession.open(driver, config, TIMEOUT)) {
            TopicSpec topic = session.topic(1);
            assertThatThrownBy(() -> session.producer(topic))
                    .isInstanceOf(DriverException.class)
                    .hasMessageStartingWith("Could not start a producer of the topic '" + topic.name()
                            + "' at RocketMQ's proxy " + address + ": ");
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void clientsOfATopicThatIsNotThereAreRefused(Protocol protocol) throws Exception {
        try (DriverSession session = open(Map.of("protocol", protocol, "awaitDuration", SHORT))) {
            TopicSpec nowhere = new TopicSpec("nowhere", 1);
            assertThatThrownBy(() -> session.producer(nowhere))
                    .isInstanceOf(DriverException.class)
                    .hasMessage("RocketMQ has no topic 'nowhere'");
            assertThatThrownBy(() -> session.consumer(nowhere, "s", new RecordingListener()))
                    .isInstanceOf(DriverException.class)
                    .hasMessage("RocketMQ has no topic 'nowhere'");
        }
    }

    // Groups

    @Test
    void twoSubscriptionsOfFourConsumersShareFourPartitions() throws Exception {
        int messages = 400;
        try (DriverSession session = open(Map.of())) {
            TopicSpec topic = session.topic(4);
            List<RecordingListener> listeners = new ArrayList<>();
            List<ConsumerSpec> specs = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                listeners.add(new RecordingListener());
                specs.add(session.consumerOf(topic, i < 4 ? "first" : "second", listeners.get(i)));
            }
            session.consumers(specs.toArray(ConsumerSpec[]::new));
            sendAll(session.producer(topic), 0, messages, 100);
            for (RecordingListener listener : listeners) {
                // Messages without a key go to the partitions in turn.
                assertThat(listener.awaitMessages(messages / 4, TIMEOUT))
                        .extracting(ReceivedMessage::partition)
                        .containsOnly(listener.messages().get(0).partition());
            }
            assertThat(listeners.stream().mapToInt(RecordingListener::count).sum())
                    .isEqualTo(2 * messages);
        }
    }

    @Test
    void whatWasDeliveredIsNotDeliveredAgainToAConsumerThatTakesOver() throws Exception {
        try (DriverSession session = open(Map.of())) {
            TopicSpec topic = session.topic(4);
            BenchmarkProducer producer = session.producer(topic);
            RecordingListener before = new RecordingListener();
            BenchmarkConsumer first = session.consumer(topic, "s", before);
            sendAll(producer, 0, 100, 100);
            before.awaitMessages(100, TIMEOUT);
            session.close(first);
            RecordingListener after = new RecordingListener();
            session.consumer(topic, "s", after);
            sendAll(producer, 100, 200, 100);
            after.awaitMessages(100, TIMEOUT);
            assertNumbers(after, 100, 200);
        }
    }

    @Test
    void theGroupsThatReadATopicAreDeletedWithIt() throws Exception {
        String topicName;
        try (DriverSession session = open(Map.of())) {
            TopicSpec topic = session.topic(1);
            topicName = topic.name();
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            sendAll(session.producer(topic), 0, 1, 100);
            listener.awaitMessages(1, TIMEOUT);
            assertThat(groupsNaming(topicName)).hasSize(1);
        }
        assertThat(groupsNaming(topicName)).isEmpty();
    }

    @Test
    void theBrokerIsDescribed() throws Exception {
        try (DriverSession session = open(Map.of())) {
            BrokerDescription broker = session.connection().describeBroker();
            assertThat(broker.product()).isEqualTo("Apache RocketMQ");
            assertThat(broker.version()).isEqualTo("5.5.0");
            assertThat(broker.settings())
                    .containsEntry("protocol", "REMOTING")
                    .containsEntry("flushDiskType", "ASYNC_FLUSH")
                    .containsEntry("brokerRole", "ASYNC_MASTER");
        }
        assertThat(new RocketMQBenchmarkDriver().clientVersion())
                .isEqualTo("rocketmq-client 5.5.0, rocketmq-client-java 5.2.0");
    }

    // Helpers

    private static DriverSession open(Map<String, ?> keys) throws DriverException, InterruptedException {
        return DriverSession.open(new RocketMQBenchmarkDriver(), ROCKETMQ.reach(TestConfigs.patient(keys)), TIMEOUT);
    }

    /**
     * Returns the consumer groups known to the broker itself whose names contain this. A broker whose groups change while
     * it lists them fails with the index of the one that went: it is asked again.
     */
    private static List<String> groupsNaming(String topic) throws Exception {
        return ofBroker((client, broker) -> Patience.await("the groups")
                .ignoreExceptionsMatching(
                        failed -> String.valueOf(failed.getMessage()).contains("ArrayIndexOutOfBounds"))
                .until(() -> client.getAllSubscriptionGroup(broker, TIMEOUT.toMillis()), answered -> true)
                .getSubscriptionGroupTable()
                .keySet()
                .stream()
                .filter(group -> group.contains(topic))
                .toList());
    }

    /** A request to the broker itself. */
    private interface Request<T> {
        T send(MQClientAPIImpl client, String broker) throws Exception;
    }

    private static <T> T ofBroker(Request<T> request) throws Exception {
        RocketMqConfig config = ROCKETMQ.reach(TestConfigs.patient(Map.of()));
        MQClientAPIImpl client = new MQClientAPIImpl(new NettyClientConfig(), null, null, new ClientConfig());
        client.updateNameServerAddressList(String.join(";", config.nameServers()));
        client.start();
        try {
            BrokerData broker = client.getBrokerClusterInfo(TIMEOUT.toMillis())
                    .getBrokerAddrTable()
                    .values()
                    .iterator()
                    .next();
            return request.send(client, broker.selectBrokerAddr());
        } finally {
            RemotingShutdown.run(client, client::shutdown);
        }
    }

    private static List<String> members(String group) throws Exception {
        return ofBroker((client, broker) ->
                client.getConsumerConnectionList(broker, group, TIMEOUT.toMillis()).getConnectionSet().stream()
                        .map(Connection::getClientId)
                        .toList());
    }

    /** As on a busy machine, where a client closes the connection on which a heartbeat was not answered in time. */
    @Test
    void aConsumerThatTheBrokerHasForgottenIsReportedAgain() throws Exception {
        RocketMqConfig config = ConfigRecords.with(
                ROCKETMQ.reach(TestConfigs.patient(Map.of())), Map.of("heartbeatBrokerInterval", Duration.ofDays(1)));
        try (DriverSession session = DriverSession.open(new RocketMQBenchmarkDriver(), config, TIMEOUT)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            RemotingConsumer consumer = (RemotingConsumer) session.consumer(topic, "s", listener);
            List<String> before = members(consumer.group());
            boolean unused = ofBroker((client, broker) -> {
                client.unregisterClient(broker, before.get(0), "", consumer.group(), TIMEOUT.toMillis());
                return true;
            });

            assertThat(consumer.isAttached(List.of(), new ConsumerConnection(), Deadline.in(TIMEOUT)))
                    .isFalse();
            assertThat(members(consumer.group())).isEqualTo(before).hasSize(1);
            ((RemotingConnection) session.connection()).awaitAttached(List.of(consumer), Deadline.in(TIMEOUT));
            sendAll(session.producer(topic), 0, 10, 100);
            listener.awaitMessages(10, TIMEOUT);
        }
    }

    private static void sendAll(BenchmarkProducer producer, int from, int until, int bytes)
            throws InterruptedException {
        List<RecordingCallback> callbacks = new ArrayList<>();
        for (int i = from; i < until; i++) {
            RecordingCallback callback = new RecordingCallback("message " + i);
            callbacks.add(callback);
            producer.send(null, NumberedPayload.of(i, bytes), callback);
        }
        for (RecordingCallback callback : callbacks) {
            callback.awaitAcknowledged(TIMEOUT);
        }
    }

    private static void assertNumbers(RecordingListener listener, int from, int until) throws InterruptedException {
        listener.awaitQuiet(Duration.ofMillis(200), TIMEOUT);
        assertThat(listener.messages())
                .extracting(ReceivedMessage::payload)
                .extracting(NumberedPayload::numberOf)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(from, until).boxed().toList());
    }
}
