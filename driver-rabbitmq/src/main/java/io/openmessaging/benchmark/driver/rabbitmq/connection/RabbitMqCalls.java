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

/** Calls to RabbitMQ, and the translation of errors of its clients and of the broker. */
public final class RabbitMqCalls {

    /** Creates threads that see the driver's classes. */
    public static final DriverThreads THREADS = DriverThreads.of(RabbitMqCalls.class);

    /** Runs calls with a deadline; failures carry the broker's own message. */
    public static final Calls CALLS = new Calls("rabbitmq", THREADS, RabbitMqCalls::reason);

    /** Greater than the depth to which clients nest their errors. */
    private static final int MAX_DEPTH = 10;

    private RabbitMqCalls() {}

    /** The broker's own message, if any cause has one; otherwise that of the innermost cause that is informative. */
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
            // Some messages contain only the name, others an explanation after a colon.
            return "the host " + String.valueOf(error.getMessage()).split(":", 2)[0]
                    + " cannot be resolved on this machine";
        }
        if (error instanceof ConnectException || error instanceof NoRouteToHostException) {
            return error.getMessage();
        }
        if (error instanceof TimeoutException || error instanceof SocketTimeoutException) {
            return "no answer in time";
        }
        return null;
    }

    /** The broker's message on closing a channel or connection; null if the broker did not close it. */
    private static @Nullable String closeText(@Nullable Method reason) {
        if (reason instanceof AMQP.Channel.Close close) {
            return close.getReplyText();
        }
        return reason instanceof AMQP.Connection.Close close ? close.getReplyText() : null;
    }
}
