package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.live.LiveRuns;
import io.openmessaging.benchmark.live.News;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;
import org.jspecify.annotations.Nullable;

/**
 * The browsers that follow the events. Each is sent what is new since the last event that it has accepted, so nothing
 * is queued for a slow one, and no thread waits for it. Thread-safe: the run's thread only wakes readers, the server's
 * threads write to them.
 */
final class Readers {

    /** The time after which a browser reconnects when it has lost its connection. */
    private static final byte[] COME_BACK = "retry: 1000\n\n".getBytes(StandardCharsets.UTF_8);

    private static final byte[] ALIVE = "event: alive\ndata: {}\n\n".getBytes(StandardCharsets.UTF_8);
    private static final int MOST = 32;

    private final LiveRuns runs;
    private final Executor threads;
    private final Set<Reader> all = ConcurrentHashMap.newKeySet();

    Readers(LiveRuns runs, Executor threads) {
        this.runs = runs;
        this.threads = threads;
    }

    /** Sends all events as the response to a request, until everything has ended; returns false if there is no room. */
    boolean follow(Request request, Response response, Callback exchange) {
        Reader reader = new Reader(response, exchange);
        synchronized (this) {
            if (all.size() >= MOST) {
                return false;
            }
            all.add(reader);
        }
        request.addFailureListener(reader::abort);
        reader.iterate();
        return true;
    }

    /** Lets all readers look for news. Never waits. */
    void wake() {
        all.forEach(reader -> threads.execute(reader::iterate));
    }

    /** Sends a sign of life, which also shows which readers have left. */
    void alive() {
        all.forEach(reader -> reader.apart.set(ALIVE));
        wake();
    }

    int count() {
        return all.size();
    }

    /** Waits until all readers know that everything has ended, or for the time limit. */
    synchronized void awaitEnd(long atMostMs) throws InterruptedException {
        long untilNs = System.nanoTime() + atMostMs * 1_000_000;
        for (long leftMs = atMostMs; !all.isEmpty() && leftMs > 0; leftMs = (untilNs - System.nanoTime()) / 1_000_000) {
            wait(leftMs);
        }
    }

    private synchronized void left(Reader reader) {
        all.remove(reader);
        notifyAll();
    }

    /** Writes one event after the other, each when the one before is accepted. */
    private final class Reader extends IteratingCallback {

        private final Response response;
        private final Callback exchange;

        /** What is written next, apart from news; null for nothing. */
        final AtomicReference<byte @Nullable []> apart = new AtomicReference<>(COME_BACK);

        /** The version of the last news. One thread at a time writes. */
        private long known;

        Reader(Response response, Callback exchange) {
            this.response = response;
            this.exchange = exchange;
        }

        @Override
        protected Action process() {
            byte[] next = apart.getAndSet(null);
            if (next == null) {
                // Asked first: the news that everything has ended must not be missed.
                boolean over = runs.isOver();
                News news = News.of(runs, known);
                if (news == null) {
                    return over ? Action.SUCCEEDED : Action.IDLE;
                }
                known = news.version();
                next = news.encoded();
            }
            response.write(false, ByteBuffer.wrap(next), this);
            return Action.SCHEDULED;
        }

        @Override
        protected void onCompleteSuccess() {
            exchange.succeeded();
            left(this);
        }

        @Override
        protected void onCompleteFailure(Throwable cause) {
            left(this);
            exchange.failed(cause);
        }
    }
}
