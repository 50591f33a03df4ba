package io.openmessaging.benchmark.driver.rabbitmq.stream;

import com.rabbitmq.stream.ConsumerFlowStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Requests another chunk of a stream for each chunk that arrives, as stream-client does. During a pause, it keeps the
 * requests and sends them at the end. Thread-safe.
 */
final class PausableFlow implements ConsumerFlowStrategy {

    /** Chunks that the broker may send ahead; stream-client's own default. */
    private static final int INITIAL_CREDITS = 10;

    private final boolean whenHandled;
    private final boolean shared;
    private final List<Context> owed = new ArrayList<>();
    private boolean paused;

    /**
     * Starts without a pause.
     *
     * @param whenHandled true to request another chunk when the first message of one was handled, rather than when the
     *     chunk arrives; for messages that are handled later, on another thread
     * @param shared true if several subscriptions share this object
     */
    PausableFlow(boolean whenHandled, boolean shared) {
        this.whenHandled = whenHandled;
        this.shared = shared;
    }

    /**
     * Called for each subscription, including one that replaces another whose connection was lost. The requests owed to
     * the replaced one are dropped, or kept if others share this object; the client then ignores them.
     */
    @Override
    public synchronized int initialCredits() {
        if (!shared) {
            owed.clear();
        }
        return INITIAL_CREDITS;
    }

    @Override
    public MessageProcessedCallback start(Context chunk) {
        if (whenHandled) {
            AtomicBoolean asked = new AtomicBoolean();
            return message -> {
                if (!asked.getAndSet(true)) {
                    ask(chunk);
                }
            };
        }
        ask(chunk);
        return message -> {};
    }

    private synchronized void ask(Context chunk) {
        if (paused) {
            owed.add(chunk);
        } else {
            chunk.credits(1);
        }
    }

    synchronized void pause() {
        paused = true;
    }

    synchronized void resume() {
        paused = false;
        owed.forEach(chunk -> chunk.credits(1));
        owed.clear();
    }
}
