package io.openmessaging.benchmark.driver.rocketmq;

import static io.openmessaging.benchmark.driver.rocketmq.client.RocketMqCalls.THREADS;

import io.openmessaging.benchmark.driver.rocketmq.client.RocketMqProducer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.LocalTransactionState;
import org.apache.rocketmq.client.producer.TransactionListener;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.jspecify.annotations.Nullable;

/**
 * Sends each message in a transaction: the broker hides it from consumers until the producer has committed it, having
 * completed the work that belongs to it. The client's method for that blocks, so each transaction in flight has its
 * own thread. While all threads are busy, the sender waits, as an application that sends on its own threads does.
 */
final class TransactionSender implements RocketMqProducer.Sender {

    /** Commits at once, since there is no work besides the message. A broker that has missed the commit asks for it. */
    static final TransactionListener COMMIT = new TransactionListener() {

        @Override
        public LocalTransactionState executeLocalTransaction(Message message, @Nullable Object argument) {
            return LocalTransactionState.COMMIT_MESSAGE;
        }

        @Override
        public LocalTransactionState checkLocalTransaction(MessageExt message) {
            return LocalTransactionState.COMMIT_MESSAGE;
        }
    };

    private final TransactionMQProducer client;
    private final RemotingMessages messages;
    private final ExecutorService threads;
    private final Semaphore freeThreads;

    /** Creates a sender for a client that must be started before the first message. */
    TransactionSender(TransactionMQProducer client, RemotingMessages messages, int transactions) {
        this.client = client;
        this.messages = messages;
        this.threads = Executors.newFixedThreadPool(transactions, THREADS.named(client.getInstanceName()));
        this.freeThreads = new Semaphore(transactions);
    }

    @Override
    public void send(@Nullable String key, byte[] payload, RocketMqProducer.Send send) throws InterruptedException {
        Message message = messages.next(key, payload);
        freeThreads.acquire();
        threads.execute(() -> run(message, send));
    }

    private void run(Message message, RocketMqProducer.Send send) {
        try {
            // If the broker has not stored the message safely, the client rolls back, and the result shows why.
            send.onSuccess(client.sendMessageInTransaction(message, null));
        } catch (MQClientException | RuntimeException e) {
            send.onException(e);
        } finally {
            freeThreads.release();
        }
    }

    /** Ends the threads, whose messages have been given up, and the client. */
    void close() {
        threads.shutdownNow();
        client.shutdown();
    }
}
