package io.openmessaging.benchmark.driver.pulsar;

import static io.openmessaging.benchmark.driver.pulsar.PulsarCalls.CALLS;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Outstanding;
import io.openmessaging.benchmark.driver.SendCallback;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.transaction.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one producer, one after the other. The next one is opened while the current one is filled, since
 * that takes several requests; so there is always one that is open and empty, which keeps no message from consumers. Used
 * by the thread that sends, and after it by the one that closes.
 */
final class Transactions {

    /** One that is older when it is begun might end by itself while it is filled and committed. */
    static final Duration SHELF_LIFE = TransactionOpener.TIMEOUT.dividedBy(3);

    private final TransactionOpener opener;
    private final TransactionConfig config;
    private final ScheduledExecutorService clock;
    private final Duration limit;
    private final Duration shelfLife;

    /** Those with messages that wait for their answer. */
    private final Set<TransactionGroup> unanswered = ConcurrentHashMap.newKeySet();

    private @Nullable TransactionGroup current;
    private CompletableFuture<? extends Transaction> next;
    private long nextOpenedNs;

    /**
     * Begins to open the first one.
     *
     * @param clock ends transactions whose time is over
     * @param limit for a transaction to be opened
     * @param shelfLife how old a transaction may be that was opened ahead
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

    /** Complete once the first one is open. */
    CompletableFuture<?> ready() {
        return next;
    }

    /** Sends a message in the current transaction, or in the next one, for which it may have to wait. */
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

    // Whatever comes after the end of a group is none of its business.
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
            // One that could not be opened is not waited for a second time.
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

    /** Commits what was sent. The callbacks tell when that is done. */
    void commit() {
        if (current != null) {
            current.close();
        }
    }

    /** Fails what has no answer. The future is complete once the transaction is gone that was not used. */
    CompletableFuture<Void> abandon() {
        DriverException closed = new DriverException("The producer was closed before the transaction was committed");
        unanswered.forEach(group -> group.answer(closed));
        return abortNext();
    }
}
