package io.openmessaging.benchmark.driver.rabbitmq;

import com.rabbitmq.stream.ConsumerFlowStrategy;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks for another chunk of a stream for each that arrives, as stream-client does, unless paused: then what is owed is
 * asked for when the pause ends. Thread-safe.
 */
final class PausableFlow implements ConsumerFlowStrategy {

    /** Chunks that the broker may send ahead; stream-client's own choice. */
    private static final int INITIAL_CREDITS = 10;

    private final List<Context> owed = new ArrayList<>();
    private boolean paused;

    /** Called for each subscription, also for one that takes the place of another whose connection was lost. */
    @Override
    public synchronized int initialCredits() {
        owed.clear();
        return INITIAL_CREDITS;
    }

    @Override
    public synchronized MessageProcessedCallback start(Context chunk) {
        if (paused) {
            owed.add(chunk);
        } else {
            chunk.credits(1);
        }
        // Credits do not depend on what becomes of the messages.
        return message -> {};
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
