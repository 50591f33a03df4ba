package io.openmessaging.benchmark.driver.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Consumer;
import com.rabbitmq.client.TopologyRecoveryException;
import com.rabbitmq.client.impl.DefaultExceptionHandler;
import io.openmessaging.benchmark.driver.DriverEvents;

/** Counts what amqp-client would only log, and leaves to it what is to happen then. */
final class ReportedExceptions extends DefaultExceptionHandler {

    private final DriverEvents events;

    ReportedExceptions(DriverEvents events) {
        this.events = events;
    }

    @Override
    public void handleUnexpectedConnectionDriverException(Connection connection, Throwable exception) {
        events.clientError("connection driver", exception);
    }

    @Override
    public void handleConfirmListenerException(Channel channel, Throwable exception) {
        events.clientError("confirm listener", exception);
        super.handleConfirmListenerException(channel, exception);
    }

    @Override
    public void handleReturnListenerException(Channel channel, Throwable exception) {
        events.clientError("return listener", exception);
        super.handleReturnListenerException(channel, exception);
    }

    @Override
    public void handleConsumerException(
            Channel channel, Throwable exception, Consumer consumer, String consumerTag, String methodName) {
        events.clientError("consumer", exception);
        super.handleConsumerException(channel, exception, consumer, consumerTag, methodName);
    }

    @Override
    public void handleTopologyRecoveryException(
            Connection connection, Channel channel, TopologyRecoveryException exception) {
        events.clientError("recovery", exception);
    }
}
