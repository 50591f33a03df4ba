package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.live.page.LivePage.Audience;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** All readers of the events. Thread-safe. */
final class Readers implements Audience {

    private final Set<Reader> all = ConcurrentHashMap.newKeySet();
    private final int most;

    Readers(int most) {
        this.most = most;
    }

    /** Adds the reader; returns false if full. Called by one thread at a time. */
    boolean add(Reader reader) {
        return all.size() < most && all.add(reader);
    }

    void remove(Reader reader) {
        all.remove(reader);
        synchronized (this) {
            notifyAll();
        }
    }

    int count() {
        return all.size();
    }

    @Override
    public void tell(Supplier<PageEvent> message) {
        if (!all.isEmpty()) {
            tell(message.get().encoded());
        }
    }

    /** Sends an event to all readers. */
    void tell(byte[] event) {
        all.forEach(reader -> reader.tell(event));
    }

    /** Ends all readers; returns when all have received their events, or after the time limit. */
    void end(long atMostMs) throws InterruptedException {
        all.forEach(Reader::end);
        long untilNs = System.nanoTime() + atMostMs * 1_000_000;
        synchronized (this) {
            for (long leftMs = atMostMs;
                    !all.isEmpty() && leftMs > 0;
                    leftMs = (untilNs - System.nanoTime()) / 1_000_000) {
                wait(leftMs);
            }
        }
    }
}
