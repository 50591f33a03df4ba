package io.openmessaging.benchmark.worker.server;

import io.openmessaging.benchmark.worker.protocol.Exchange;
import io.openmessaging.benchmark.worker.protocol.Exchange.Request;
import io.openmessaging.benchmark.worker.protocol.Exchange.WireReply;
import io.openmessaging.benchmark.worker.transport.Paths;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes the requests of one run, one after the other on a separate thread, since a worker is used by one thread at
 * a time. Requests are numbered so that they can be repeated: the latest is executed once, however often it arrives,
 * and an older one not at all. A newer request means that nobody waits for the previous one, which is interrupted.
 * Thread-safe.
 */
final class Steps {

    private static final Logger LOG = LoggerFactory.getLogger(Steps.class);
    private static final byte[] NOTHING = {};

    /** A request of a run, which is executed once. */
    private static final class Step {

        final int number;
        final Request request;
        final byte[] body;
        final long takenNs;

        /** The outcome, once the step is executed. */
        final CompletableFuture<WireReply> answer = new CompletableFuture<>();

        private @Nullable Thread thread;
        private boolean givenUp;

        Step(int number, Request request, byte[] body, long takenNs) {
            this.number = number;
            this.request = request;
            this.body = body;
            this.takenNs = takenNs;
        }

        /** The name of the request, in lower case. */
        String name() {
            return request.name().toLowerCase(Locale.ROOT);
        }

        /** Returns whether the step does more than read figures. */
        boolean changes() {
            return request != Request.STATUS && request != Request.PERIOD;
        }

        /**
         * Interrupts the step. A step that has not started yet starts interrupted: what it does before its first wait
         * is still done.
         */
        synchronized void giveUp() {
            givenUp = true;
            if (thread != null) {
                thread.interrupt();
            }
        }

        private synchronized void begin() {
            thread = Thread.currentThread();
            if (givenUp) {
                thread.interrupt();
            }
        }

        private synchronized void end() {
            thread = null;
            // Clears an interrupt that came too late and must not reach the next step.
            if (Thread.interrupted()) {
                LOG.info("{} was interrupted", name());
            }
        }

        void carryOut(Exchange worker) {
            begin();
            WireReply result;
            try {
                result = worker.exchange(request, body);
            } catch (InterruptedException e) {
                result = WireReply.failed("given up");
            } catch (Exception | Error e) {
                LOG.error("{} failed", request, e);
                result = WireReply.failed("unexpected error: " + e);
            } finally {
                end();
            }
            answer.complete(result);
        }
    }

    private final Exchange worker;
    private final LongSupplier nanoTime;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "steps");
        made.setDaemon(true);
        return made;
    });

    private @Nullable Step last;

    /** Since when there is a load, by {@link #nanoTime}; null while there is none. */
    private @Nullable Long loadBeganNs;

    /**
     * Creates the steps of a run that has no requests yet.
     *
     * @param worker executes the requests
     * @param nanoTime clock for the duration of a step
     */
    Steps(Exchange worker, LongSupplier nanoTime) {
        this.worker = worker;
        this.nanoTime = nanoTime;
    }

    /**
     * Starts a step unless it was already started.
     *
     * @param number greater than that of all previous steps
     * @return its answer, which may take long
     * @throws Refusal if the step is older than the latest, or has the number of another request, or if the run is over
     */
    synchronized CompletableFuture<WireReply> take(int number, Request request, byte[] body) throws Refusal {
        if (last != null && number == last.number) {
            if (last.request != request || !Arrays.equals(last.body, body)) {
                throw new Refusal(Paths.CONFLICT, "step " + number + " was another request: " + last.name());
            }
            return last.answer;
        }
        if (last != null && number < last.number) {
            throw new Refusal(Paths.CONFLICT, "step " + number + " is over: the latest is step " + last.number);
        }
        if (thread.isShutdown()) {
            throw new Refusal(Paths.CONFLICT, "the run is over");
        }
        if (last != null) {
            last.giveUp();
        }
        Step step = new Step(number, request, body, nanoTime.getAsLong());
        thread.execute(() -> {
            step.carryOut(worker);
            noteLoad(step);
        });
        last = step;
        return step.answer;
    }

    /** A load lasts from the step that starts it to the one that stops it. */
    private synchronized void noteLoad(Step done) {
        switch (done.request) {
            case START -> loadBeganNs = done.answer.join().refused() ? null : (Long) done.takenNs;
            case STOP, FINISH, CLOSE -> loadBeganNs = null;
            default -> {
                // The load goes on, or there is none.
            }
        }
    }

    /**
     * Interrupts a step for which nobody waits any more.
     *
     * @throws Refusal if the step has not arrived yet
     */
    synchronized void giveUp(int number) throws Refusal {
        if (last == null || last.number < number) {
            throw new Refusal(Paths.UNKNOWN, "there is no step " + number + " yet");
        }
        if (last.number == number) {
            last.giveUp();
        }
    }

    /** Returns whether a step with this number or a higher one has arrived. */
    synchronized boolean hasBegun(int number) {
        return last != null && last.number >= number;
    }

    /**
     * Returns the current step and its duration, or that of the load if no step is in progress that changes anything;
     * null if the run waits for its next step.
     */
    synchronized @Nullable String doing() {
        Step step = last == null || last.answer.isDone() ? null : last;
        if (loadBeganNs != null && (step == null || !step.changes())) {
            return "load for " + secondsSince(loadBeganNs);
        }
        return step == null ? null : step.name() + " for " + secondsSince(step.takenNs);
    }

    private String secondsSince(long ns) {
        return TimeUnit.NANOSECONDS.toSeconds(nanoTime.getAsLong() - ns) + " s";
    }

    /**
     * Ends the run: interrupts the current step, then closes the worker. Returns once that is done. If its own thread is
     * interrupted, it closes the worker at once.
     *
     * @param patience time that the current step has to react; after that the worker is closed concurrently, since a
     *     call to a broker that does not return must not keep the load running
     */
    void end(Duration patience) {
        synchronized (this) {
            thread.shutdown();
            if (last != null) {
                last.giveUp();
            }
        }
        boolean interrupted;
        try {
            if (!thread.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("{} does not end; the worker is closed anyway", doing());
            }
            interrupted = Thread.interrupted();
        } catch (InterruptedException e) {
            interrupted = true;
        }
        try {
            WireReply closed = worker.exchange(Request.CLOSE, NOTHING);
            if (closed.refused()) {
                LOG.warn("The worker did not close cleanly: {}", new String(closed.body(), StandardCharsets.UTF_8));
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (Exception | Error e) {
            LOG.error("The worker did not close cleanly", e);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
