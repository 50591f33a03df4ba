package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.rocketmq.client.TopicQueues;
import java.nio.ByteBuffer;
import java.util.Collection;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.apache.rocketmq.client.java.message.MessageViewImpl;
import org.apache.rocketmq.common.consumer.ReceiptHandle;
import org.apache.rocketmq.common.message.MessageQueue;

/** Passes messages of the gRPC client to the listener of one consumer. */
record GrpcDelivery(ConsumerSpec spec, TopicQueues queues) {

    /** Returns the name of the consumer's client. */
    String clientName(String runId) {
        return runId + "-consumer-" + spec.id();
    }

    /** Passes a message to the listener. */
    void deliver(MessageView message) {
        ByteBuffer body = message.getBody();
        byte[] payload = new byte[body.remaining()];
        body.get(payload);
        Collection<String> keys = message.getKeys();
        String key = keys.isEmpty() ? null : keys.iterator().next();
        spec.listener().received(key, payload, partition(message), message.getBornTimestamp());
    }

    /**
     * Returns the partition. The client does not expose the queue, but the handle for acknowledging a message contains
     * it.
     */
    private int partition(MessageView message) {
        ReceiptHandle handle = ReceiptHandle.decode(((MessageViewImpl) message).getReceiptHandle());
        return queues.partition(new MessageQueue(spec.topic().name(), handle.getBrokerName(), handle.getQueueId()));
    }
}
