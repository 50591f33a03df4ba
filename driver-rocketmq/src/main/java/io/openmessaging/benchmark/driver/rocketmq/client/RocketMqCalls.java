package io.openmessaging.benchmark.driver.rocketmq.client;

import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.DriverThreads;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.jspecify.annotations.Nullable;

/** How this driver asks RocketMQ, and what it makes of its errors. */
public final class RocketMqCalls {

    private static final String UNEXPLAINED = "unknown reason";

    /** Threads that see the driver's classes. */
    public static final DriverThreads THREADS = DriverThreads.of(RocketMqCalls.class);

    /** Calls that end in time, and whose failures are sentences. */
    public static final Calls CALLS = new Calls("rocketmq", THREADS, RocketMqCalls::reason);

    private RocketMqCalls() {}

    /** What the client says of a message that has failed; where that is "unknown reason", the cause, which it knows. */
    static Throwable explained(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean unexplained = failure instanceof MQClientException error && UNEXPLAINED.equals(error.getErrorMessage());
        return unexplained && cause != null ? cause : failure;
    }

    /** RocketMQ's own words, without the link to its list of questions and answers. */
    static String reason(Throwable cause) {
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
