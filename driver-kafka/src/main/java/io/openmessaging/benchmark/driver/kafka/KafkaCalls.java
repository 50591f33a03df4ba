package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.DriverThreads;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;

/** How this driver asks Kafka, and what it makes of Kafka's errors. */
final class KafkaCalls {

    /** Kafka looks up assignors, metric reporters and login modules by name, some when its own classes are initialized. */
    static final DriverThreads THREADS = DriverThreads.of(KafkaCalls.class);

    static final Calls CALLS = new Calls("kafka", THREADS, KafkaCalls::reason);

    private KafkaCalls() {}

    /** Kafka's own words, those of the causes included where the outermost error only says that there is one. */
    static String reason(Throwable error) {
        String message = error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
        if (error instanceof TimeoutException) {
            return "no answer in time (" + message + ")";
        }
        Throwable cause = error.getCause();
        boolean wraps = error.getClass() == KafkaException.class;
        return wraps && cause != null ? message + ": " + reason(cause) : message;
    }
}
