package io.openmessaging.benchmark.driver.rocketmq;

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
final class GrpcPushConsumer implements RocketMqConnection.AbortableConsumer {

    private final GrpcDelivery delivery;
    private final ClientRelease release;
    private final String name;

    // Guarded by the lock of this object, which is held during each call of the listener.
    private boolean paused;
    private boolean closed;
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
            while (paused && !closed) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed = true;
        }
        if (closed) {
            // Another consumer receives it.
            return ConsumeResult.FAILURE;
        }
        delivery.deliver(message);
        return ConsumeResult.SUCCESS;
    }

    @Override
    public synchronized void pause() {
        paused = true;
    }

    @Override
    public synchronized void resume() {
        paused = false;
        notifyAll();
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
        closed = true;
        notifyAll();
        if (client != null) {
            release.begin(name, client);
        }
    }
}
