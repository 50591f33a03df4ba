package io.openmessaging.benchmark.driver.pulsar;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.awaitAcknowledged;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.numbers;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.numbersOf;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Outstanding;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.pulsar.ProducerConfig.TransactionConfig;
import io.openmessaging.benchmark.driver.pulsar.Transactions.TransactionOpener;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.transaction.Transaction;
import org.apache.pulsar.client.impl.transaction.TransactionImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests what messages of a transaction have in common. */
class TransactionsIT {

    @RegisterExtension
    static final LocalPulsar PULSAR = new LocalPulsar();

    /**
     * Less than {@link TransactionOpener#TIMEOUT}, but more than a driver file may set: only the number of messages
     * ends transactions.
     */
    private static final Duration LONG = Duration.ofSeconds(50);

    /** Time to wait for something that must not happen. */
    private static final Duration A_WHILE = Duration.ofMillis(500);

    @Test
    void messagesAreAcknowledgedAndDeliveredWhenTheirTransactionIsFull() throws Exception {
        try (DriverSession session = open(new TransactionConfig(3, LONG))) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            List<RecordingCallback> callbacks = send(producer, 0, 2, 100);
            assertThat(listener.awaitQuiet(A_WHILE, TIMEOUT)).isZero();
            assertThat(callbacks).extracting(RecordingCallback::calls).containsOnly(0);
            callbacks.addAll(send(producer, 2, 6, 100));
            awaitAcknowledged(callbacks);
            assertThat(numbersOf(listener.awaitMessages(6, TIMEOUT))).containsExactly(0, 1, 2, 3, 4, 5);
        }
    }

    @Test
    void aTransactionThatIsNotFullIsCommittedInTime() throws Exception {
        Duration maxTime = Duration.ofMillis(300);
        try (DriverSession session = open("{messages: 1000, maxTime: " + maxTime.toMillis() + "ms}")) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            for (int i = 0; i < 3; i++) {
                long startNs = System.nanoTime();
                awaitAcknowledged(send(producer, i, i + 1, 100));
                assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isGreaterThanOrEqualTo(maxTime);
            }
            assertThat(numbersOf(listener.awaitMessages(3, TIMEOUT))).containsExactly(0, 1, 2);
        }
    }

    @Test
    void oneMessageThatIsRefusedFailsItsTransactionAndNoOther() throws Exception {
        try (DriverSession session = open(new TransactionConfig(3, LONG))) {
            TopicSpec topic = session.topic(2);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            List<RecordingCallback> before = send(producer, 0, 3, 100);
            List<RecordingCallback> aborted = send(producer, 3, 5, 100);
            RecordingCallback tooLarge = new RecordingCallback("6 MiB");
            producer.send("key", new byte[6 * 1024 * 1024], tooLarge);
            aborted.add(tooLarge);
            List<RecordingCallback> after = send(producer, 5, 8, 100);
            awaitAcknowledged(before);
            awaitAcknowledged(after);
            for (RecordingCallback callback : aborted) {
                assertThat(callback.awaitFailed(TIMEOUT))
                        .hasMessageStartingWith("Could not commit the transaction that holds the message: ")
                        .hasMessageContaining("5242880 bytes");
            }
            assertThat(numbersOf(listener.awaitMessages(6, TIMEOUT))).containsExactlyInAnyOrder(0, 1, 2, 5, 6, 7);
            listener.awaitQuiet(A_WHILE, TIMEOUT);
            assertThat(listener.count()).isEqualTo(6);
            session.close(producer);
            assertThat(aborted).extracting(RecordingCallback::calls).containsOnly(1);
        }
    }

    @Test
    void aProducerThatIsClosedCommitsWhatItHas() throws Exception {
        try (DriverSession session = open("{messages: 1000, maxTime: 10s}")) {
            TopicSpec topic = session.topic(3);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            List<RecordingCallback> callbacks = send(producer, 0, 30, 100);
            session.close(producer);
            assertThat(callbacks)
                    .extracting(RecordingCallback::acknowledgements)
                    .containsOnly(1);
            assertThat(numbersOf(listener.awaitMessages(30, TIMEOUT)))
                    .containsExactlyInAnyOrderElementsOf(numbers(0, 30));
        }
    }

    /** Pulsar itself would soon end such a transaction. */
    @Test
    void aTransactionThatWasOpenedTooLongAgoIsNotUsed() throws Exception {
        PulsarConfig config = PULSAR.reach(TestConfigs.of("producer: {transaction: {messages: 1}}"));
        String runId = "shelf" + System.nanoTime();
        DriverContext context = new DriverContext(runId, TIMEOUT, new RecordingEvents());
        TopicSpec topic = new TopicSpec("t", 1);
        String name = "persistent://benchmark/ns-" + runId + "/t";
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        try (PulsarConnection connection = PulsarConnection.open(config, context);
                PulsarClient client = PulsarClients.connect(config, context, Deadline.in(TIMEOUT))) {
            connection.createTopics(List.of(topic));
            try (Producer<byte[]> producer =
                    PulsarClients.producer(client, name, config.producer()).create()) {
                List<TransactionImpl> opened = new ArrayList<>();
                Transactions transactions = new Transactions(
                        new TransactionOpener(client, List.of(name)),
                        new TransactionConfig(1, Duration.ofSeconds(1)),
                        clock,
                        TIMEOUT,
                        Duration.ZERO);
                Outstanding outstanding = new Outstanding();
                for (int i = 0; i < 3; i++) {
                    opened.add((TransactionImpl) Patience.get("the first transaction", transactions.ready()));
                    RecordingCallback callback = new RecordingCallback("message " + i);
                    transactions.send(
                            producer,
                            new MessageExtras(List.of(), List.of(), 0),
                            null,
                            NumberedPayload.of(i, 100),
                            callback,
                            outstanding);
                    callback.awaitAcknowledged(TIMEOUT);
                }
                Patience.get("the end of what was opened", transactions.abandon());
                for (TransactionImpl unused : opened) {
                    assertThat(unused.getOpCount()).isZero();
                    assertThat(unused.getState()).isIn(Transaction.State.ABORTING, Transaction.State.ABORTED);
                }
            } finally {
                connection.deleteTopics(List.of(topic));
            }
        } finally {
            clock.shutdownNow();
        }
    }

    private static DriverSession open(String transaction) throws DriverException, InterruptedException {
        return open(TestConfigs.of("producer: {transaction: " + transaction + "}"));
    }

    private static DriverSession open(TransactionConfig transaction) throws DriverException, InterruptedException {
        PulsarConfig usual = TestConfigs.of("");
        return open(ConfigRecords.with(
                usual, Map.of("producer", ConfigRecords.with(usual.producer(), Map.of("transaction", transaction)))));
    }

    private static DriverSession open(PulsarConfig config) throws DriverException, InterruptedException {
        return DriverSession.open(new PulsarBenchmarkDriver(), PULSAR.reach(config), TIMEOUT);
    }
}
