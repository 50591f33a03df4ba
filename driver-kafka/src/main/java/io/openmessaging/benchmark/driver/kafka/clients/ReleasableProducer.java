package io.openmessaging.benchmark.driver.kafka.clients;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import java.time.Duration;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.InterruptException;

/** A producer that can be released without waiting. */
public interface ReleasableProducer extends BenchmarkProducer {

    /** Releases the client at once; what it still holds fails. */
    void abort();

    /** Sends what the client holds and releases it; on an interrupt at once, and the interrupt status is left set. */
    static void release(Producer<?, ?> client, Duration limit) {
        boolean interrupted = Thread.interrupted();
        try {
            client.close(interrupted ? Duration.ZERO : limit);
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

    /** What a client's own exception for an interrupt, thrown with the interrupt status set, is in the harness. */
    static InterruptedException interrupted(InterruptException cause) {
        Thread.interrupted();
        InterruptedException interrupted = new InterruptedException("Interrupted while a message was handed to Kafka.");
        interrupted.initCause(cause);
        return interrupted;
    }
}
