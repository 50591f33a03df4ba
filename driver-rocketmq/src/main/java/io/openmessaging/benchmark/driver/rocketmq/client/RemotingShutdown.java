package io.openmessaging.benchmark.driver.rocketmq.client;

import static io.openmessaging.benchmark.driver.rocketmq.client.RocketMqCalls.THREADS;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.consumer.store.OffsetStore;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.netty.NettyEvent;
import org.apache.rocketmq.remoting.netty.NettyEventType;
import org.apache.rocketmq.remoting.netty.NettyRemotingAbstract;
import org.jspecify.annotations.Nullable;

/**
 * Shuts down a remoting client in some milliseconds. By itself it takes three seconds, since it waits for the end of a
 * thread that sleeps that long while nothing happens.
 */
public final class RemotingShutdown {

    private static final int WAKE_INTERVAL_MS = 10;

    private RemotingShutdown() {}

    /**
     * Runs the shutdown of a producer or consumer.
     *
     * @param instance instance with its connections; null if it was never started
     */
    public static void run(@Nullable MQClientInstance instance, Runnable shutdown) {
        if (instance == null) {
            shutdown.run();
        } else {
            run(instance.getMQClientAPIImpl(), shutdown);
        }
    }

    /**
     * Runs a shutdown.
     *
     * @param api part of the client that holds the connections
     * @param shutdown the client's own shutdown
     */
    public static void run(MQClientAPIImpl api, Runnable shutdown) {
        Thread waker = THREADS.daemon(() -> wake(api), "rocketmq-release-waker");
        waker.start();
        try {
            shutdown.run();
        } finally {
            waker.interrupt();
        }
    }

    /**
     * Runs the shutdown of a consumer once the brokers have confirmed what it has delivered. By itself, a client reports
     * that without awaiting an answer, so a consumer that takes over might get the same messages again.
     */
    public static void onceConfirmed(OffsetStore delivered, String topic, Runnable shutdown)
            throws InterruptedException {
        try {
            for (Map.Entry<MessageQueue, Long> next :
                    delivered.cloneOffsetTable(topic).entrySet()) {
                delivered.updateConsumeOffsetToBroker(next.getKey(), next.getValue(), false);
            }
        } catch (MQClientException | MQBrokerException | RemotingException e) {
            // The broker is away: the client reports as much as it can while it shuts down.
        } finally {
            shutdown.run();
        }
    }

    private static void wake(MQClientAPIImpl api) {
        NettyRemotingAbstract connections = (NettyRemotingAbstract) api.getRemotingClient();
        try {
            while (true) {
                TimeUnit.MILLISECONDS.sleep(WAKE_INTERVAL_MS);
                // An event that no code handles.
                connections.putNettyEvent(new NettyEvent(NettyEventType.IDLE, "", null));
            }
        } catch (InterruptedException e) {
            // The shutdown has ended.
        }
    }
}
