package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;

/** Waits for what the admin client was asked and puts its errors into sentences. */
final class Answers {

    private Answers() {}

    /**
     * Waits for an answer.
     *
     * @param attempt what was asked, so that "Could not " may stand before it
     * @throws DriverException if it is refused, with Kafka's error as the cause, or does not come in time
     */
    static <T> T await(KafkaFuture<T> answer, Deadline deadline, String attempt)
            throws DriverException, InterruptedException {
        try {
            return answer.get(deadline.leftNs(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof org.apache.kafka.common.errors.TimeoutException) {
                throw tooLate(attempt, deadline, " (" + reason(cause) + ")", cause);
            }
            throw refused(attempt, cause);
        } catch (TimeoutException e) {
            throw tooLate(attempt, deadline, "", e);
        }
    }

    private static DriverException tooLate(String attempt, Deadline deadline, String details, Throwable cause) {
        String limit = deadline.limit().toMillis() + " ms";
        return new DriverException("Could not " + attempt + ": no answer within " + limit + details, cause);
    }

    /** The error to throw for one of Kafka's. */
    static DriverException refused(String attempt, Throwable cause) {
        return new DriverException("Could not " + attempt + ": " + reason(cause), cause);
    }

    /** Kafka's own words, those of the causes included where the outermost error only says that there is one. */
    static String reason(Throwable error) {
        String message = error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
        Throwable cause = error.getCause();
        boolean wraps = error.getClass() == KafkaException.class;
        return wraps && cause != null ? message + ": " + reason(cause) : message;
    }
}
