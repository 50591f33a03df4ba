package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * One Kafka producer. It copies keys and payloads into its own buffer and blocks while that is full.
 *
 * @param client released with this
 */
record KafkaBenchmarkProducer(Producer<String, byte[]> client, String topic, Duration timeout)
        implements BenchmarkProducer {

    // The client also returns a future for each message: the callback gets what the future would.
    @SuppressWarnings("FutureReturnValueIgnored")
    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        try {
            client.send(new ProducerRecord<>(topic, key, payload), new Outcome(callback));
        } catch (InterruptException e) {
            // Thrown before the message was taken, with the interrupt status set again.
            throw interrupted(e);
        } catch (KafkaException e) {
            // What the client throws, it does not tell the callback.
            callback.failed(e);
        }
    }

    private static InterruptedException interrupted(InterruptException cause) {
        Thread.interrupted();
        InterruptedException interrupted = new InterruptedException("Interrupted while a message was handed to Kafka.");
        interrupted.initCause(cause);
        return interrupted;
    }

    /** One object a message. */
    private record Outcome(SendCallback callback) implements Callback {

        @Override
        public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception error) {
            if (error == null) {
                callback.acknowledged();
            } else {
                callback.failed(error);
            }
        }
    }

    @Override
    public void close() {
        boolean interrupted = Thread.interrupted();
        try {
            client.close(interrupted ? Duration.ZERO : timeout);
        } catch (InterruptException e) {
            // The client has not waited for its own thread then; closing again at once fails what is left and does.
            Thread.interrupted();
            interrupted = true;
            client.close(Duration.ZERO);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Releases the client at once; what it still holds fails. */
    void abort() {
        client.close(Duration.ZERO);
    }
}
