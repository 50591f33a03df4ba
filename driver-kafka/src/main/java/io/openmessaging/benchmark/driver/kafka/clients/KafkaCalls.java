package io.openmessaging.benchmark.driver.kafka.clients;

import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.DriverThreads;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Requests to Kafka, and the translation of its errors. */
public final class KafkaCalls {

    /**
     * Threads with this class loader: Kafka looks up assignors, metric reporters and login modules by name, some of
     * them when its own classes are initialized.
     */
    public static final DriverThreads THREADS = DriverThreads.of(KafkaCalls.class);

    /** Waits for answers and words failures. */
    public static final Calls CALLS = new Calls("kafka", THREADS, KafkaCalls::reason);

    private static final byte[] NO_VALUE = {};

    private KafkaCalls() {}

    /**
     * Waits for the answers to a request about many things.
     *
     * @param attempt description of the request for one name
     * @param none error that means that the thing does not exist
     * @return answers by name, without things that do not exist
     * @throws DriverException for the first request that fails for another reason or times out
     */
    public static <T extends @Nullable Object> Map<String, T> all(
            Map<String, KafkaFuture<T>> answers,
            Deadline deadline,
            UnaryOperator<String> attempt,
            Class<? extends KafkaException> none)
            throws DriverException, InterruptedException {
        Map<String, T> found = new HashMap<>();
        for (Map.Entry<String, KafkaFuture<T>> answer : answers.entrySet()) {
            try {
                found.put(answer.getKey(), CALLS.await(attempt.apply(answer.getKey()), deadline, answer.getValue()));
            } catch (DriverException e) {
                if (!none.isInstance(e.getCause())) {
                    throw e;
                }
            }
        }
        return found;
    }

    /** A record's value; a missing one, which marks a key as deleted, counts as empty. */
    static byte[] payloadOf(ConsumerRecord<String, byte[]> message) {
        byte[] value = message.value();
        return value == null ? NO_VALUE : value;
    }

    /** Kafka's own message, including those of the causes if the outermost error only says that there is one. */
    public static String reason(Throwable error) {
        String message = Calls.message(error);
        if (error instanceof TimeoutException) {
            return "no answer in time (" + message + ")";
        }
        Throwable cause = error.getCause();
        if (cause == null) {
            return message;
        }
        // Kafka's error says only "SSL handshake failed"; the innermost one gives the reason.
        if (error instanceof SslAuthenticationException) {
            return message + ": " + Calls.message(Calls.innermost(cause));
        }
        if (error.getClass() != KafkaException.class) {
            return message;
        }
        return message.equals(cause.toString()) ? reason(cause) : message + ": " + reason(cause);
    }
}
