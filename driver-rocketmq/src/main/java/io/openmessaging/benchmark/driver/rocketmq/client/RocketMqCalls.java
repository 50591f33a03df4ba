package io.openmessaging.benchmark.driver.rocketmq.client;

import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.DriverThreads;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.jspecify.annotations.Nullable;

/** Runs this driver's calls to RocketMQ and words their errors. */
public final class RocketMqCalls {

    private static final String UNEXPLAINED = "unknown reason";

    /** Threads that see the driver's classes. */
    public static final DriverThreads THREADS = DriverThreads.of(RocketMqCalls.class);

    /** Runs calls with a deadline, and words failures with {@link #reason}. */
    public static final Calls CALLS = new Calls("rocketmq", THREADS, RocketMqCalls::reason);

    private RocketMqCalls() {}

    /** Returns the failure of a message, or its cause where the client's message is only "unknown reason". */
    static Throwable explained(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean unexplained = failure instanceof MQClientException error && UNEXPLAINED.equals(error.getErrorMessage());
        return unexplained && cause != null ? cause : failure;
    }

    /** Returns RocketMQ's own message, without the link to its FAQ. */
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
