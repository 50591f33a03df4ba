package io.openmessaging.benchmark.driver.kafka.clients;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import java.time.Duration;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.InterruptException;

/** A producer that can be released without waiting. */
public interface ReleasableProducer extends BenchmarkProducer {

    /** Releases the client at once; messages that it still holds fail. */
    void abort();

    /**
     * Sends what the client holds and releases it; on an interrupt, releases it at once and leaves the interrupt status
     * set.
     */
    static void release(Producer<?, ?> client, Duration limit) {
        boolean interrupted = Thread.interrupted();
        try {
            client.close(interrupted ? Duration.ZERO : limit);
        } catch (InterruptException e) {
            // The client did not wait for its own thread in this case; closing it again at once does, and fails what is
            // left.
            Thread.interrupted();
            interrupted = true;
            client.close(Duration.ZERO);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Converts a client's own exception for an interrupt, thrown with the interrupt status set, to Java's. */
    static InterruptedException interrupted(InterruptException cause) {
        Thread.interrupted();
        InterruptedException interrupted = new InterruptedException("Interrupted while a message was handed to Kafka.");
        interrupted.initCause(cause);
        return interrupted;
    }
}
