package io.openmessaging.benchmark.driver.kafka.clients;

import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * A producer with a Kafka client of its own. The client copies keys and payloads into its buffer and blocks while that
 * is full.
 *
 * @param client the client, released with this producer
 * @param records source of the records to send
 * @param timeout limit for closing
 */
public record KafkaBenchmarkProducer(Producer<String, byte[]> client, Records records, Duration timeout)
        implements ReleasableProducer {

    // The client also returns a future for each message; the callback gets the same outcome.
    @SuppressWarnings("FutureReturnValueIgnored")
    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        try {
            client.send(records.of(key, payload), new ForwardingCallback(callback));
        } catch (InterruptException e) {
            // Thrown before the client accepted the message, with the interrupt status set again.
            throw ReleasableProducer.interrupted(e);
        } catch (KafkaException e) {
            // The client does not pass exceptions that it throws to the callback.
            callback.failed(e);
        }
    }

    /** Created once per message. */
    private record ForwardingCallback(SendCallback callback) implements Callback {

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
        ReleasableProducer.release(client, timeout);
    }

    @Override
    public void abort() {
        client.close(Duration.ZERO);
    }
}
