package io.openmessaging.benchmark.worker.server;

import io.openmessaging.benchmark.worker.protocol.Exchange;
import io.openmessaging.benchmark.worker.protocol.Exchange.Request;
import io.openmessaging.benchmark.worker.protocol.Exchange.WireReply;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request of a run, which is carried out once. Thread-safe. */
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

    /** In lower case. */
    String name() {
        return request.name().toLowerCase(Locale.ROOT);
    }

    boolean is(Request wanted, byte[] with) {
        return request == wanted && Arrays.equals(body, with);
    }

    /** What came of it, once it is carried out. */
    CompletableFuture<WireReply> answer() {
        return answer;
    }

    /** Interrupts it. One that has not begun begins interrupted: what it does before it waits is done all the same. */
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
        // One that came too late is not for the step after this.
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
            result = failed("given up");
        } catch (Exception | Error e) {
            LOG.error("{} failed", request, e);
            result = failed("unexpected error: " + e);
        } finally {
            end();
        }
        answer.complete(result);
    }

    private static WireReply failed(String sentence) {
        return new WireReply(true, sentence.getBytes(StandardCharsets.UTF_8));
    }
}
