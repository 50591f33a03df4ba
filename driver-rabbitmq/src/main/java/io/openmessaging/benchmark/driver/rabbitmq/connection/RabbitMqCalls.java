package io.openmessaging.benchmark.driver.rabbitmq.connection;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.DriverThreads;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** How this driver asks RabbitMQ, and what it makes of the clients' and the broker's errors. */
public final class RabbitMqCalls {

    /** Makes threads that see the driver's classes. */
    public static final DriverThreads THREADS = DriverThreads.of(RabbitMqCalls.class);

    /** Calls with a deadline, whose failures are in the broker's words. */
    public static final Calls CALLS = new Calls("rabbitmq", THREADS, RabbitMqCalls::reason);

    /** Deeper than the clients nest their errors. */
    private static final int MAX_DEPTH = 10;

    private RabbitMqCalls() {}

    /** The broker's own words if there are any among the causes, else the innermost one's that says something. */
    public static String reason(Throwable error) {
        String said = null;
        Throwable current = error;
        for (int depth = 0; current != null && depth < MAX_DEPTH; depth++) {
            String known = known(current);
            if (known != null) {
                return known;
            }
            if (current.getMessage() != null && !repeatsItsCause(current)) {
                said = current.getMessage();
            }
            current = current.getCause();
        }
        return said == null ? error.getClass().getSimpleName() : said;
    }

    private static boolean repeatsItsCause(Throwable error) {
        Throwable cause = error.getCause();
        return error instanceof ExecutionException
                || cause != null && String.valueOf(cause).equals(error.getMessage());
    }

    private static @Nullable String known(Throwable error) {
        if (error instanceof ShutdownSignalException signal) {
            String text = closeText(signal.getReason());
            return text == null && !signal.isInitiatedByApplication() ? "the connection is lost" : text;
        }
        if (error instanceof UnknownHostException) {
            // Some say no more than the name, others explain behind a colon what unknown means.
            return "the host " + String.valueOf(error.getMessage()).split(":", 2)[0] + " is unknown";
        }
        if (error instanceof ConnectException || error instanceof NoRouteToHostException) {
            return error.getMessage();
        }
        if (error instanceof TimeoutException || error instanceof SocketTimeoutException) {
            return "no answer in time";
        }
        return null;
    }

    /** What the broker wrote when it closed a channel or a connection; null if it was not the broker that did. */
    private static @Nullable String closeText(@Nullable Method reason) {
        if (reason instanceof AMQP.Channel.Close close) {
            return close.getReplyText();
        }
        return reason instanceof AMQP.Connection.Close close ? close.getReplyText() : null;
    }
}
