package io.openmessaging.benchmark.driver.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.rocketmq.RocketMqLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import io.openmessaging.benchmark.driver.testkit.guarantee.DocumentedGuarantee;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests a master and two slaves under a controller, as {@code rocketmq-durable.yaml} requests. */
@LongSuite("starts a cluster of three nodes and kills two of them")
class ClusterIT {

    /** A restarted node takes a minute on a busy machine. */
    private static final Duration TIMEOUT = Patience.LIMIT.multipliedBy(3);

    private static final Duration PAUSE = Duration.ofMillis(100);

    @Test
    void aMessageIsAcknowledgedOnlyIfItHasASecondCopy() throws Exception {
        ShippedDriverFile file = ShippedDriverFile.named("rocketmq-durable.yaml");
        RocketMQBenchmarkDriver driver = new RocketMQBenchmarkDriver();
        TestBroker.Setup setup = new TestBroker.Setup(file.brokerNodes(), null, file.brokerSettings());
        try (TestBroker<RocketMqConfig> cluster = TestBroker.start(driver, new RocketMqLocalBroker(), setup);
                DriverSession session =
                        DriverSession.open(driver, cluster.reach(file.config(RocketMqConfig.class)), TIMEOUT)) {
            TopicSpec topic = session.topic(2);
            assertDescribed(session, topic, file);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            send(producer, 0).awaitAcknowledged(TIMEOUT);

            cluster.broker().kill("rocketmq-broker-2");
            send(producer, 1).awaitAcknowledged(TIMEOUT);
            cluster.broker().kill("rocketmq-broker-3");
            awaitRefused(producer);

            cluster.broker().startAgain("rocketmq-broker-2");
            awaitAcknowledged(producer);
            listener.awaitMessages(3, TIMEOUT);
            assertThat(listener.messages())
                    .extracting(message -> NumberedPayload.numberOf(message.payload()))
                    .contains(0, 1, 3);
        }
    }

    private static void assertDescribed(DriverSession session, TopicSpec topic, ShippedDriverFile file)
            throws Exception {
        BrokerDescription broker = session.connection().describeBroker();
        assertThat(broker.nodes()).hasSize(3);
        assertThat(broker.settings())
                .containsEntry("enableControllerMode", "true")
                .containsEntry("allAckInSyncStateSet", "true")
                .containsEntry("minInSyncReplicas", "2");
        Guarantee guarantee = Objects.requireNonNull(broker.guarantee());
        assertThat(guarantee.copies()).isEqualTo(3);
        assertThat(guarantee.acknowledgedCopies()).isEqualTo(2);
        assertThat(DocumentedGuarantee.of(guarantee)).isEqualTo(DocumentedGuarantee.of(file));
        String master = broker.nodes().get(0);
        assertThat(session.connection().leaders(List.of(topic))).containsExactly(List.of(master, master));
    }

    private static RecordingCallback send(BenchmarkProducer producer, int number) throws InterruptedException {
        RecordingCallback callback = new RecordingCallback("message " + number);
        producer.send(null, NumberedPayload.of(number, 100), callback);
        return callback;
    }

    /**
     * Sends until a message is refused for lack of copies. A message that waits for a slave which falls out of sync
     * meanwhile is acknowledged without it, as documented in the driver's README.
     */
    private static void awaitRefused(BenchmarkProducer producer) throws Exception {
        Deadline.in(TIMEOUT)
                .await(
                        PAUSE,
                        () -> answered(producer, 2).failures().stream()
                                .anyMatch(failure ->
                                        String.valueOf(failure.getMessage()).contains("in-sync replicas")),
                        () -> "a refusal");
    }

    /** Sends until a message is acknowledged. */
    private static void awaitAcknowledged(BenchmarkProducer producer) throws Exception {
        Deadline.in(TIMEOUT)
                .await(PAUSE, () -> answered(producer, 3).acknowledgements() == 1, () -> "an acknowledgement");
    }

    private static RecordingCallback answered(BenchmarkProducer producer, int number) throws InterruptedException {
        RecordingCallback callback = send(producer, number);
        Patience.until("the answer", () -> callback.calls() > 0);
        return callback;
    }
}
