package io.openmessaging.benchmark.worker.server;

import io.openmessaging.benchmark.worker.protocol.Exchange;
import io.openmessaging.benchmark.worker.protocol.Exchange.Request;
import io.openmessaging.benchmark.worker.protocol.Exchange.WireReply;
import io.openmessaging.benchmark.worker.transport.Paths;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests of one run, carried out one after the other on a thread of their own, since a worker is used by one thread at
 * a time. The number makes a request one that can be sent again: the latest is carried out once, however often it comes,
 * and an older one not at all. A newer one says that nobody waits for the one before: it is interrupted. Thread-safe.
 */
final class Steps {

    private static final Logger LOG = LoggerFactory.getLogger(Steps.class);
    private static final byte[] NOTHING = {};

    private final Exchange worker;
    private final LongSupplier nanoTime;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "steps");
        made.setDaemon(true);
        return made;
    });

    private @Nullable Step last;

    /**
     * A run of which nothing has been asked yet.
     *
     * @param worker carries the requests out
     * @param nanoTime for how long a step has been in progress
     */
    Steps(Exchange worker, LongSupplier nanoTime) {
        this.worker = worker;
        this.nanoTime = nanoTime;
    }

    /**
     * Begins a step, unless it has been begun.
     *
     * @param number greater than that of all others before
     * @return its answer, which may take long
     * @throws Refusal if it is an older one, or has the number of another
     */
    synchronized CompletableFuture<WireReply> take(int number, Request request, byte[] body) throws Refusal {
        if (last != null && number == last.number()) {
            if (!last.is(request, body)) {
                throw new Refusal(Paths.CONFLICT, "step " + number + " was another request: " + last.name());
            }
            return last.answer();
        }
        if (last != null && number < last.number()) {
            throw new Refusal(Paths.CONFLICT, "step " + number + " is over: the latest is step " + last.number());
        }
        if (last != null) {
            last.giveUp();
        }
        Step step = new Step(number, request, body, nanoTime.getAsLong());
        thread.execute(() -> step.carryOut(worker));
        last = step;
        return step.answer();
    }

    /**
     * Nobody waits for a step any more: it is interrupted.
     *
     * @throws Refusal if it has not come yet
     */
    synchronized void giveUp(int number) throws Refusal {
        if (last == null || last.number() < number) {
            throw new Refusal(Paths.UNKNOWN, "there is no step " + number + " yet");
        }
        if (last.number() == number) {
            last.giveUp();
        }
    }

    /** Whether a step of that number, or one after it, has come. */
    synchronized boolean hasBegun(int number) {
        return last != null && last.number() >= number;
    }

    /** Which step is in progress, and for how long; null if none is. */
    synchronized @Nullable String doing() {
        if (last == null || last.answer().isDone()) {
            return null;
        }
        return last.name() + " for " + TimeUnit.NANOSECONDS.toSeconds(nanoTime.getAsLong() - last.takenNs()) + " s";
    }

    /**
     * Ends the run: the current step is interrupted, then the worker is closed. Returns once that is done.
     *
     * @param patience how long the current step may take to notice; then the worker is closed beside it, since no load is to go
     *     on only because a call to a broker does not return
     */
    void end(Duration patience) {
        synchronized (this) {
            if (last != null) {
                last.giveUp();
            }
        }
        thread.shutdown();
        try {
            if (!thread.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("{} does not end; the worker is closed anyway", doing());
            }
            WireReply closed = worker.exchange(Request.CLOSE, NOTHING);
            if (closed.refused()) {
                LOG.warn("The worker did not close cleanly: {}", new String(closed.body(), StandardCharsets.UTF_8));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception | Error e) {
            LOG.error("The worker did not close cleanly", e);
        }
    }
}
