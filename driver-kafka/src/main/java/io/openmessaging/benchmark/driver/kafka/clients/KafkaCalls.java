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

/** How this driver asks Kafka, and what it makes of Kafka's errors. */
public final class KafkaCalls {

    /** Kafka looks up assignors, metric reporters and login modules by name, some when its own classes are initialized. */
    public static final DriverThreads THREADS = DriverThreads.of(KafkaCalls.class);

    /** Waits for answers and words failures. */
    public static final Calls CALLS = new Calls("kafka", THREADS, KafkaCalls::reason);

    private static final byte[] NO_VALUE = {};

    private KafkaCalls() {}

    /**
     * Waits for the answers to a request about many things.
     *
     * @param attempt what is asked for, by the name of a thing
     * @param none the error that says that there is no such thing
     * @return the answers by name, without those that say that
     * @throws DriverException of the first that is refused for another reason, or does not come in time
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

    /** A record's value; none at all, which marks a key as deleted, counts as an empty one. */
    static byte[] payloadOf(ConsumerRecord<String, byte[]> message) {
        byte[] value = message.value();
        return value == null ? NO_VALUE : value;
    }

    /** Kafka's own words, those of the causes included where the outermost error only says that there is one. */
    public static String reason(Throwable error) {
        String message = error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
        if (error instanceof TimeoutException) {
            return "no answer in time (" + message + ")";
        }
        Throwable cause = error.getCause();
        if (cause == null) {
            return message;
        }
        // Kafka's error says only "SSL handshake failed"; the innermost one says why.
        if (error instanceof SslAuthenticationException) {
            return message + ": " + innermost(cause);
        }
        if (error.getClass() != KafkaException.class) {
            return message;
        }
        return message.equals(cause.toString()) ? reason(cause) : message + ": " + reason(cause);
    }

    private static String innermost(Throwable error) {
        Throwable inner = error;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner.getMessage() == null ? inner.getClass().getSimpleName() : inner.getMessage();
    }
}
