package io.openmessaging.benchmark.driver.rabbitmq.connection;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/** Opening and closing of channels. What the broker refuses closes the channel, so each task has one of its own. */
public final class Channels {

    private Channels() {}

    /** A new channel, never null: a connection that has as many as it may is an error. */
    public static Channel open(Connection connection) throws IOException {
        return connection
                .openChannel()
                .orElseThrow(() -> new IOException(
                        "the connection has as many channels as the broker allows, " + connection.getChannelMax()));
    }

    /** What is done on a channel. */
    @FunctionalInterface
    public interface Task {

        /** Does it. */
        void on(Channel channel) throws Exception;
    }

    /** Does something on a channel of its own. */
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
            // It goes with its connection.
        }
    }

    /** AMQP's code for why the broker closed the channel; 0 if it was not the broker that did. */
    public static int replyCode(IOException error) {
        return error.getCause() instanceof ShutdownSignalException signal
                        && signal.getReason() instanceof AMQP.Channel.Close close
                ? close.getReplyCode()
                : 0;
    }
}
