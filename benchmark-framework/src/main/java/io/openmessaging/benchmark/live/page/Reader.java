package io.openmessaging.benchmark.live.page;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;
import org.jspecify.annotations.Nullable;

/**
 * A browser that follows the events. Events that it has not accepted yet are queued, up to a limit: a slower reader is
 * dropped, and receives the whole state when it reconnects. No thread waits for it. Thread-safe.
 */
final class Reader {

    /** Enough for more than a minute's events. */
    static final int MOST_WAITING = 256;

    private static final int MOST_WAITING_BYTES = 4 << 20;

    /** A callback that runs once, when the reader is gone. */
    interface Leave {
        void left(Reader reader);
    }

    private final Request request;
    private final Response response;
    private final Callback exchange;
    private final Leave leave;
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private final Writing writing = new Writing();
    private int waitingBytes;

    /** False until the first event is set; until then, other events wait. */
    private boolean begun;

    private boolean last;
    private boolean gone;

    Reader(Request request, Response response, Callback exchange, Leave leave) {
        this.request = request;
        this.response = response;
        this.exchange = exchange;
        this.leave = leave;
    }

    /** Sends an event that precedes all those queued so far, then starts sending them. */
    void begin(byte[] first) {
        synchronized (this) {
            waiting.addFirst(first);
            waitingBytes += first.length;
            begun = true;
        }
        writing.iterate();
    }

    /** Queues an event. Never waits. */
    void tell(byte[] event) {
        boolean tooSlow;
        synchronized (this) {
            if (gone || last) {
                return;
            }
            tooSlow = waiting.size() >= MOST_WAITING
                    || !waiting.isEmpty() && waitingBytes + event.length > MOST_WAITING_BYTES;
            if (!tooSlow) {
                waiting.add(event);
                waitingBytes += event.length;
            }
        }
        if (tooSlow) {
            drop();
        } else {
            writing.iterate();
        }
    }

    private void drop() {
        leave();
        // This also ends a write that would never complete.
        request.getConnectionMetaData()
                .getConnection()
                .getEndPoint()
                .close(new TimeoutException("a reader is too slow"));
    }

    /** Handles the loss of the connection. */
    void lost(Throwable cause) {
        writing.abort(cause);
    }

    /** Closes the stream once the queued events are sent; accepts no more. */
    void end() {
        synchronized (this) {
            last = true;
        }
        writing.iterate();
    }

    private void leave() {
        synchronized (this) {
            if (gone) {
                return;
            }
            gone = true;
            waiting.clear();
            waitingBytes = 0;
        }
        leave.left(this);
    }

    /** Returns the next event to send; null if there is none. */
    private synchronized byte @Nullable [] next() {
        byte[] event = begun ? waiting.poll() : null;
        if (event != null) {
            waitingBytes -= event.length;
        }
        return event;
    }

    private synchronized boolean allSent() {
        return last && begun && waiting.isEmpty();
    }

    /** Sends one event after the other. */
    private final class Writing extends IteratingCallback {

        @Override
        protected Action process() {
            byte[] event = next();
            if (event == null) {
                return allSent() ? Action.SUCCEEDED : Action.IDLE;
            }
            response.write(false, ByteBuffer.wrap(event), this);
            return Action.SCHEDULED;
        }

        @Override
        protected void onCompleteSuccess() {
            exchange.succeeded();
            leave();
        }

        @Override
        protected void onCompleteFailure(Throwable cause) {
            leave();
            exchange.failed(cause);
        }
    }
}
