package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.live.LiveRuns;
import io.openmessaging.benchmark.live.News;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;

/**
 * The browsers that follow the events. Each is sent what is new since the last event that it has accepted, so nothing
 * is queued for a slow one, and no thread waits for it. Thread-safe: the run's thread only wakes readers, the server's
 * threads write to them.
 */
final class Readers {

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

    /** Sends news to all readers even if nothing has changed, which also shows which readers have left. */
    void giveSignOfLife() {
        all.forEach(reader -> reader.due = true);
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

        /** True if news are due even if nothing has changed. */
        private volatile boolean due = true;

        /** The version of the last news. Like the next field, it is used by one thread at a time, which writes. */
        private long known;

        private boolean last;

        Reader(Response response, Callback exchange) {
            this.response = response;
            this.exchange = exchange;
        }

        @Override
        protected Action process() {
            if (last || !due && runs.version() == known) {
                return last ? Action.SUCCEEDED : Action.IDLE;
            }
            due = false;
            News news = News.of(runs, known);
            known = news.version();
            last = news.endsAll();
            response.write(false, ByteBuffer.wrap(news.encoded()), this);
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
