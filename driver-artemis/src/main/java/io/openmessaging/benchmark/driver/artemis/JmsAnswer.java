package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.Outstanding;
import io.openmessaging.benchmark.driver.SendCallback;
import jakarta.jms.CompletionListener;
import jakarta.jms.Message;
import java.io.Serial;
import java.util.concurrent.atomic.AtomicBoolean;

/** Passes on the outcome of a message. The client may answer twice: the first answer counts. True once answered. */
final class JmsAnswer extends AtomicBoolean implements CompletionListener {

    @Serial
    private static final long serialVersionUID = 1;

    private final transient SendCallback callback;
    private final transient Outstanding outstanding;

    /** Counts the message as outstanding from now on. */
    JmsAnswer(SendCallback callback, Outstanding outstanding) {
        this.callback = callback;
        this.outstanding = outstanding;
        outstanding.sent();
    }

    @Override
    public void onCompletion(Message message) {
        if (compareAndSet(false, true)) {
            callback.acknowledged();
            outstanding.answered();
        }
    }

    @Override
    public void onException(Message message, Exception cause) {
        failed(cause);
    }

    void failed(Exception cause) {
        if (compareAndSet(false, true)) {
            callback.failed(cause);
            outstanding.answered();
        }
    }

    /**
     * Takes the message back without calling the callback.
     *
     * @return false if it is answered already
     */
    boolean withdraw() {
        boolean first = compareAndSet(false, true);
        if (first) {
            outstanding.answered();
        }
        return first;
    }
}
