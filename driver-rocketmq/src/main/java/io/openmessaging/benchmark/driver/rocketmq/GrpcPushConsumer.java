package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.PausableReader;
import io.openmessaging.benchmark.driver.rocketmq.client.ClientRelease;
import org.apache.rocketmq.client.apis.ClientException;
import org.apache.rocketmq.client.apis.consumer.ConsumeResult;
import org.apache.rocketmq.client.apis.consumer.PushConsumer;
import org.apache.rocketmq.client.apis.consumer.PushConsumerBuilder;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.jspecify.annotations.Nullable;

/**
 * One gRPC consumer whose client reads ahead and acknowledges, and which passes messages to the listener on one
 * thread. The proxy hides the messages that the client has read from other consumers as long as the client exists.
 */
final class GrpcPushConsumer extends PausableReader implements RocketMqConnection.AbortableConsumer {

    private final GrpcDelivery delivery;
    private final ClientRelease release;
    private final String name;

    /** Guarded by the lock of this object, which is held during each call of the listener. */
    private @Nullable PushConsumer client;

    private GrpcPushConsumer(GrpcDelivery delivery, ClientRelease release, String name) {
        this.delivery = delivery;
        this.release = release;
        this.name = name;
    }

    /**
     * Starts a client.
     *
     * @param builder builder that lacks only the listener and its thread count
     * @param name name of the consumer within the run
     */
    static GrpcPushConsumer start(
            PushConsumerBuilder builder, GrpcDelivery delivery, ClientRelease release, String name)
            throws ClientException {
        GrpcPushConsumer consumer = new GrpcPushConsumer(delivery, release, name);
        PushConsumer client = builder.setConsumptionThreadCount(1)
                .setMessageListener(consumer::consume)
                .build();
        synchronized (consumer) {
            consumer.client = client;
        }
        return consumer;
    }

    private synchronized ConsumeResult consume(MessageView message) {
        try {
            if (awaitResumed()) {
                delivery.deliver(message);
                return ConsumeResult.SUCCESS;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end();
        }
        // Another consumer receives it.
        return ConsumeResult.FAILURE;
    }

    /**
     * Closes the client on a separate thread, since it waits for its last request, which the proxy keeps for some
     * seconds.
     */
    @Override
    public void close() {
        abort();
    }

    @Override
    public synchronized void abort() {
        end();
        if (client != null) {
            release.begin(name, client);
        }
    }
}
