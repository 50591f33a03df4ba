package io.openmessaging.benchmark.worker.server;

import io.openmessaging.benchmark.worker.protocol.Exchange;
import io.openmessaging.benchmark.worker.protocol.Exchange.Request;
import io.openmessaging.benchmark.worker.protocol.Exchange.WireReply;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request of a run, which is executed once. Thread-safe. */
final class Step {

    private static final Logger LOG = LoggerFactory.getLogger(Step.class);

    private final int number;
    private final Request request;
    private final byte[] body;
    private final long takenNs;
    private final CompletableFuture<WireReply> answer = new CompletableFuture<>();
    private @Nullable Thread thread;
    private boolean givenUp;

    Step(int number, Request request, byte[] body, long takenNs) {
        this.number = number;
        this.request = request;
        this.body = body;
        this.takenNs = takenNs;
    }

    int number() {
        return number;
    }

    long takenNs() {
        return takenNs;
    }

    /** The name of the request, in lower case. */
    String name() {
        return request.name().toLowerCase(Locale.ROOT);
    }

    /** Returns whether the step is executed and was not refused. */
    boolean hasSucceeded() {
        return answer.isDone() && !answer.join().refused();
    }

    /** Returns whether the step does more than read figures. */
    boolean changes() {
        return request != Request.STATUS && request != Request.PERIOD;
    }

    boolean is(Request wanted, byte[] with) {
        return request == wanted && Arrays.equals(body, with);
    }

    /** The outcome, once the step is executed. */
    CompletableFuture<WireReply> answer() {
        return answer;
    }

    /**
     * Interrupts the step. A step that has not started yet starts interrupted: what it does before its first wait is
     * still done.
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
