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
 * One Kafka producer. It copies keys and payloads into its own buffer and blocks while that is full.
 *
 * @param client released with this
 * @param records what is sent
 * @param timeout the limit for closing
 */
public record KafkaBenchmarkProducer(Producer<String, byte[]> client, Records records, Duration timeout)
        implements ReleasableProducer {

    // The client also returns a future for each message: the callback gets what the future would.
    @SuppressWarnings("FutureReturnValueIgnored")
    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        try {
            client.send(records.of(key, payload), new ForwardingCallback(callback));
        } catch (InterruptException e) {
            // Thrown before the message was taken, with the interrupt status set again.
            throw ReleasableProducer.interrupted(e);
        } catch (KafkaException e) {
            // What the client throws, it does not tell the callback.
            callback.failed(e);
        }
    }

    /** One object a message. */
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
