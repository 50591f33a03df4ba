package io.openmessaging.benchmark.driver.rabbitmq.connection;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/** Opens and closes channels. The broker closes a channel when it refuses a request, so each task has its own. */
public final class Channels {

    private Channels() {}

    /** Opens a channel, never null: throws if the connection has as many channels as allowed. */
    public static Channel open(Connection connection) throws IOException {
        return connection
                .openChannel()
                .orElseThrow(() -> new IOException("the connection already has as many channels as the broker allows, "
                        + connection.getChannelMax()));
    }

    /** A task that uses a channel. */
    @FunctionalInterface
    public interface Task {

        /** Runs the task. */
        void on(Channel channel) throws Exception;
    }

    /** Runs a task on a channel of its own. */
    static void on(Connection connection, Task task) throws Exception {
        Channel channel = open(connection);
        try {
            task.on(channel);
        } finally {
            close(channel);
        }
    }

    /** Closes a channel; it may be closed already. */
    public static void close(Channel channel) {
        try {
            channel.close();
        } catch (IOException | TimeoutException | ShutdownSignalException e) {
            // The channel closes with its connection.
        }
    }

    /** AMQP's code for the reason that the broker closed the channel; 0 if the broker did not close it. */
    public static int replyCode(IOException error) {
        return error.getCause() instanceof ShutdownSignalException signal
                        && signal.getReason() instanceof AMQP.Channel.Close close
                ? close.getReplyCode()
                : 0;
    }
}
