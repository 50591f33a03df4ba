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
 * @param client one that has transactions
 * @param partitions their full names
 */
record TransactionOpener(PulsarClient client, List<String> partitions) {

    /** When Pulsar ends a transaction that nobody ends, as the client has it by default. */
    static final Duration TIMEOUT = Duration.ofSeconds(60);

    /**
     * Opens a transaction in which every partition takes part. The client would have a partition take part when the first
     * message goes there; it would send those that come meanwhile afterwards, in an order that is not theirs.
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
