package io.openmessaging.benchmark.driver.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import io.openmessaging.benchmark.driver.DriverException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Says in the clients' and the broker's own words why something failed. */
final class Reasons {

    /** Deeper than the clients nest their errors. */
    private static final int MAX_DEPTH = 10;

    private Reasons() {}

    /** An exception whose message is {@code Could not <attempt>: <reason>}. */
    static DriverException refused(String attempt, Throwable cause) {
        return new DriverException("Could not " + attempt + ": " + of(cause), cause);
    }

    /** The broker's own words if there are any among the causes, else the innermost one's that says something. */
    static String of(Throwable error) {
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
            return closeText(signal.getReason());
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
