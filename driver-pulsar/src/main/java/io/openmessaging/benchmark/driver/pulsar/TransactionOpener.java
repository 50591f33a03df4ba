package io.openmessaging.benchmark.driver.pulsar;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.transaction.Transaction;
import org.apache.pulsar.client.impl.transaction.TransactionImpl;

/**
 * Opens transactions for the messages of one topic.
 *
 * @param client client with transactions enabled
 * @param partitions full names of the topic's partitions
 */
record TransactionOpener(PulsarClient client, List<String> partitions) {

    /** Time after which Pulsar ends a transaction by itself, the client's default. */
    static final Duration TIMEOUT = Duration.ofSeconds(60);

    /**
     * Opens a transaction that includes every partition. The client by itself would add a partition with the first
     * message to it, and would send messages that arrive in the meantime later, out of order.
     */
    CompletableFuture<? extends Transaction> open() {
        return client.newTransaction()
                .withTransactionTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .build()
                .thenCompose(transaction -> withPartitions((TransactionImpl) transaction));
    }

    private CompletableFuture<TransactionImpl> withPartitions(TransactionImpl transaction) {
        CompletableFuture<?>[] registered =
                partitions.stream().map(transaction::registerProducedTopic).toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(registered).thenApply(nothing -> transaction);
    }
}
