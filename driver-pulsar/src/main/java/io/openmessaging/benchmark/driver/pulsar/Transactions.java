package io.openmessaging.benchmark.driver.pulsar;

import static io.openmessaging.benchmark.driver.pulsar.PulsarCalls.CALLS;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Outstanding;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.pulsar.ProducerConfig.TransactionConfig;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.transaction.Transaction;
import org.apache.pulsar.client.impl.transaction.TransactionImpl;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one producer, one after the other. The next one is opened while the current one is filled, since
 * that takes several requests; so there is always one that is open and empty, which holds back no message from
 * consumers. Used by the sending thread, and afterwards by the closing one.
 */
final class Transactions {

    /** A transaction that is older when its first message is sent might time out while it is filled and committed. */
    static final Duration SHELF_LIFE = TransactionOpener.TIMEOUT.dividedBy(3);

    private final TransactionOpener opener;
    private final TransactionConfig config;
    private final ScheduledExecutorService clock;
    private final Duration limit;
    private final Duration shelfLife;

    /** Transactions with unanswered messages. */
    private final Set<TransactionGroup> unanswered = ConcurrentHashMap.newKeySet();

    private @Nullable TransactionGroup current;
    private CompletableFuture<? extends Transaction> next;
    private long nextOpenedNs;

    /**
     * Starts to open the first one.
     *
     * @param clock timer that ends transactions whose time is over
     * @param limit time limit for opening a transaction
     * @param shelfLife largest age of a transaction that was opened ahead
     */
    Transactions(
            TransactionOpener opener,
            TransactionConfig config,
            ScheduledExecutorService clock,
            Duration limit,
            Duration shelfLife) {
        this.opener = opener;
        this.config = config;
        this.clock = clock;
        this.limit = limit;
        this.shelfLife = shelfLife;
        this.nextOpenedNs = System.nanoTime();
        this.next = opener.open();
    }

    /** Returns a future that completes once the first one is open. */
    CompletableFuture<?> ready() {
        return next;
    }

    /**
     * Sends a message in the current transaction, or in the next one, for which it may have to wait. If that cannot be
     * opened, the message fails.
     */
    void send(
            Producer<byte[]> client,
            MessageExtras extras,
            @Nullable String key,
            byte[] payload,
            SendCallback callback,
            Outstanding outstanding)
            throws InterruptedException {
        SendCompletion outcome = new SendCompletion(callback, outstanding);
        try {
            while (current == null || !current.send(client, extras, key, payload, outcome)) {
                current = begin();
            }
        } catch (DriverException e) {
            outstanding.sent();
            outcome.answer(e);
        }
    }

    // The result of the cleanup after the end of a group does not matter.
    @SuppressWarnings("FutureReturnValueIgnored")
    private TransactionGroup begin() throws DriverException, InterruptedException {
        if (System.nanoTime() - nextOpenedNs > shelfLife.toNanos()) {
            CompletableFuture<Void> unused = abortNext();
            openNext();
        }
        CompletableFuture<? extends Transaction> opened = next;
        Transaction transaction;
        try {
            transaction = CALLS.await("open a transaction", Deadline.in(limit), opened);
        } finally {
            // A transaction that could not be opened is not waited for a second time.
            if (opened.isDone()) {
                openNext();
            }
        }
        TransactionGroup group = new TransactionGroup(transaction, config, clock);
        unanswered.add(group);
        group.end().thenRun(() -> unanswered.remove(group));
        return group;
    }

    private void openNext() {
        nextOpenedNs = System.nanoTime();
        next = opener.open();
    }

    private CompletableFuture<Void> abortNext() {
        return next.thenCompose(Transaction::abort).exceptionally(error -> null);
    }

    /** Commits the current transaction. The callbacks report when that is done. */
    void commit() {
        if (current != null) {
            current.close();
        }
    }

    /** Fails all unanswered messages. The future completes once the unused transaction is aborted. */
    CompletableFuture<Void> abandon() {
        DriverException closed = new DriverException("The producer was closed before the transaction was committed");
        unanswered.forEach(group -> group.answer(closed));
        return abortNext();
    }

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
}
