package io.openmessaging.benchmark.driver.kafka;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.awaitAcknowledged;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.numbers;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.numbersOf;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.GroupType;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.KafkaTransaction;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of behaviour specific to transactions. */
class KafkaTransactionsIT {

    @RegisterExtension
    static final LocalKafka KAFKA = new LocalKafka();

    /** Almost as long as the broker allows a transaction to be open. */
    private static final Duration NEVER = Duration.ofMinutes(13);

    private static final Duration TIMEOUT_OF_KAFKA = Duration.ofMinutes(14);
    private static final int MAX_REQUEST_BYTES = 10_000;

    @Test
    void whatATransactionHoldsIsAcknowledgedAndDeliveredWhenItIsCommitted() throws Exception {
        try (DriverSession session = open(new KafkaTransaction(10, NEVER))) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            List<RecordingCallback> callbacks = send(producer, 0, 9, 100);
            // The messages are in the topic, but not committed.
            assertThat(RawRecords.read(KAFKA.addresses(), topic.name(), 9)).hasSize(9);
            assertThat(callbacks).extracting(RecordingCallback::calls).containsOnly(0);
            assertThat(listener.count()).isZero();

            callbacks.addAll(send(producer, 9, 10, 100));
            awaitAcknowledged(callbacks);
            assertThat(numbersOf(listener.awaitMessages(10, TIMEOUT))).isEqualTo(numbers(0, 10));
        }
    }

    @Test
    void aTransactionWithFewMessagesIsCommittedInTimeAlthoughNobodySends() throws Exception {
        Duration maxTime = Duration.ofMillis(300);
        try (DriverSession session = open(new KafkaTransaction(1000, maxTime))) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            long startNs = System.nanoTime();
            awaitAcknowledged(send(producer, 0, 1, 100));
            assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isGreaterThanOrEqualTo(maxTime);
            assertThat(listener.awaitMessages(1, TIMEOUT)).hasSize(1);
        }
    }

    @Test
    void anAbortedTransactionIsNotDeliveredAndItsMessagesFailWithTheReason() throws Exception {
        try (DriverSession session = open(new KafkaTransaction(6, NEVER))) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            List<RecordingCallback> aborted = send(producer, 0, 5, 100);
            RawRecords.read(KAFKA.addresses(), topic.name(), 5);
            RecordingCallback tooLarge = new RecordingCallback("a message that is too large");
            producer.send("k", new byte[2 * MAX_REQUEST_BYTES], tooLarge);
            aborted.add(tooLarge);
            for (RecordingCallback callback : aborted) {
                assertThat(callback.awaitFailed(TIMEOUT))
                        .hasMessageStartingWith("The transaction was aborted: The message is ")
                        .hasCauseInstanceOf(RecordTooLargeException.class);
            }

            awaitAcknowledged(send(producer, 5, 17, 100));
            assertThat(numbersOf(listener.awaitMessages(12, TIMEOUT))).isEqualTo(numbers(5, 17));
            session.close(producer);
            assertThat(aborted)
                    .as("callbacks of the aborted transaction")
                    .extracting(RecordingCallback::calls)
                    .containsOnly(1);
        }
    }

    @Test
    void closingCommitsWhatIsOpen() throws Exception {
        try (DriverSession session = open(new KafkaTransaction(1000, NEVER))) {
            TopicSpec topic = session.topic(2);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            List<RecordingCallback> callbacks = send(producer, 0, 20, 100);
            session.close(producer);
            assertThat(callbacks)
                    .extracting(RecordingCallback::acknowledgements)
                    .containsOnly(1);
            assertThat(numbersOf(listener.awaitMessages(20, TIMEOUT)))
                    .containsExactlyInAnyOrderElementsOf(numbers(0, 20));
        }
    }

    @Test
    void transactionalIdsBelongToTheRunAndBeginAsTheDriverFileSays() throws Exception {
        try (DriverSession session = open(new KafkaTransaction(1, NEVER));
                Admin admin = Admin.create(RawRecords.connection(KAFKA.addresses()))) {
            TopicSpec topic = session.topic(1);
            awaitAcknowledged(send(session.producer(topic), 0, 1, 100));
            awaitAcknowledged(send(session.producer(topic), 1, 2, 100));
            String run = topic.name().split("-", -1)[1];
            assertThat(Patience.get("the transactions", admin.listTransactions().all()))
                    .extracting(TransactionListing::transactionalId)
                    .contains("bench." + run + ".producer-0", "bench." + run + ".producer-1");
        }
    }

    @Test
    void theGuaranteeSaysIt() throws Exception {
        try (DriverSession session = open(new KafkaTransaction(1, NEVER))) {
            assertThat(Objects.requireNonNull(
                                    session.connection().describeBroker().guarantee())
                            .inWords())
                    .endsWith("(acknowledged when its transaction is committed;"
                            + " consumers read committed messages only)");
        }
    }

    private static DriverSession open(KafkaTransaction transaction) throws Exception {
        KafkaConfig config = new KafkaConfig(
                1,
                "",
                "",
                "transactional.id=bench\ntransaction.timeout.ms=" + TIMEOUT_OF_KAFKA.toMillis() + "\nmax.request.size="
                        + MAX_REQUEST_BYTES,
                LocalKafka.CLASSIC_HEARTBEAT + "auto.offset.reset=earliest",
                false,
                GroupType.CONSUMER,
                List.of(),
                transaction,
                null);
        return DriverSession.open(new KafkaBenchmarkDriver(), KAFKA.reach(config), TIMEOUT);
    }
}
