package io.openmessaging.benchmark.driver.kafka.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests, with Kafka's own mock of its client, what no broker can be made to do at the right moment. */
class TransactionalProducerTest {

    private final MockProducer<String, byte[]> client =
            new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    private final TransactionalProducer producer = producer();
    private final RecordingCallback first = new RecordingCallback("the first message");
    private final RecordingCallback second = new RecordingCallback("the second message");

    private TransactionalProducer producer() {
        client.initTransactions();
        return new TransactionalProducer(
                0, client, Records.of("topic", Map.of(), null), 1, Duration.ofMinutes(1), Duration.ofMillis(100));
    }

    @AfterEach
    void close() {
        client.commitTransactionException = null;
        producer.close();
        assertThat(client.closed()).isTrue();
    }

    @Test
    void aFencedProducerFailsWhatItHasAndWhatComesAfter() throws InterruptedException {
        client.commitTransactionException = new ProducerFencedException("fenced");
        client.abortTransactionException = client.commitTransactionException;
        producer.send(null, new byte[1], first);
        assertThat(first.awaitFailed(Patience.LIMIT))
                .hasMessageStartingWith("The transaction could neither be committed nor aborted: ")
                .hasRootCauseInstanceOf(ProducerFencedException.class);
        producer.send(null, new byte[1], second);
        assertThat(second.awaitFailed(Patience.LIMIT)).isSameAs(first.failures().get(0));
    }

    @Test
    void aCommitWithoutAnAnswerInTimeFailsWithThat() throws InterruptedException {
        client.commitTransactionException = new TimeoutException("no answer");
        producer.send(null, new byte[1], first);
        assertThat(first.awaitFailed(Patience.LIMIT)).hasMessageContaining("no answer in time (no answer)");
    }

    @Test
    void aCommitThatIsRefusedIsAnAbort() throws InterruptedException {
        client.commitTransactionException = new KafkaException("not this one");
        producer.send(null, new byte[1], first);
        assertThat(first.awaitFailed(Patience.LIMIT)).hasMessage("The transaction was aborted: not this one");
        client.commitTransactionException = null;
        producer.send(null, new byte[1], second);
        second.awaitAcknowledged(Patience.LIMIT);
    }

    @Test
    void anInterruptOfTheSenderIsThrownAndTheCallbackIsLeftAlone() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> producer.send(null, new byte[1], first)).isInstanceOf(InterruptedException.class);
        assertThat(first.calls()).isZero();
    }

    @Test
    void whatIsSentToAClosedProducerFails() throws InterruptedException {
        producer.close();
        producer.send(null, new byte[1], first);
        assertThat(first.awaitFailed(Patience.LIMIT)).hasMessage("The producer is closed");
    }
}
