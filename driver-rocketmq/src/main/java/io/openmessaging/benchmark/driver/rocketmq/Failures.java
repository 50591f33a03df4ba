package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.DriverException;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.jspecify.annotations.Nullable;

/** Turns the clients' errors into sentences. */
final class Failures {

    private Failures() {}

    /** Says what was attempted, and RocketMQ's reason for not doing it. */
    static DriverException refused(String attempt, Throwable cause) {
        return new DriverException("Could not " + attempt + ": " + reason(cause), cause);
    }

    /** RocketMQ's own words, without the link to its list of questions and answers. */
    private static String reason(Throwable cause) {
        @Nullable String reason = cause.getMessage();
        if (cause instanceof MQBrokerException refusal) {
            reason = refusal.getErrorMessage();
        } else if (cause instanceof MQClientException refusal && refusal.getErrorMessage() != null) {
            reason = refusal.getErrorMessage();
        }
        if (reason == null || reason.isBlank()) {
            return cause.getClass().getSimpleName();
        }
        return reason.lines().findFirst().orElse(reason).strip();
    }
}
