package io.openmessaging.benchmark.driver.rabbitmq.stream;

import com.rabbitmq.stream.ConsumerFlowStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Asks for another chunk of a stream for each that arrives, as stream-client does, unless paused: then what is owed is
 * asked for when the pause ends. Thread-safe.
 */
final class PausableFlow implements ConsumerFlowStrategy {

    /** Chunks that the broker may send ahead; stream-client's own choice. */
    private static final int INITIAL_CREDITS = 10;

    private final boolean whenHandled;
    private final boolean shared;
    private final List<Context> owed = new ArrayList<>();
    private boolean paused;

    /**
     * Not paused.
     *
     * @param whenHandled whether another chunk is asked for when the first message of one has been handled rather than when
     *     it arrives; for messages that are handled later, on another thread
     * @param shared whether it is that of several subscriptions
     */
    PausableFlow(boolean whenHandled, boolean shared) {
        this.whenHandled = whenHandled;
        this.shared = shared;
    }

    /**
     * Called for each subscription, also for one that takes the place of another whose connection was lost. Then what is
     * owed to that one stays owed if others share this object; the client lets it come to nothing.
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
