package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.Outstanding;
import io.openmessaging.benchmark.driver.SendCallback;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.client.impl.ClientMessageImpl;

/**
 * A message that passes its outcome to its own callback, so that answers of the broker need no lookup. The client may
 * answer twice, for example through the confirmation of a window and the end of the connection: the first answer
 * counts.
 */
final class OutgoingMessage extends ClientMessageImpl {

    /** A header in the client's own form, created once for all messages of a producer. */
    record Header(SimpleString name, SimpleString value) {

        static List<Header> of(Map<String, String> headers) {
            return headers.entrySet().stream()
                    .map(header -> new Header(SimpleString.of(header.getKey()), SimpleString.of(header.getValue())))
                    .toList();
        }
    }

    /** Space before and after the body in the same buffer, for a key and an address of usual lengths. */
    private static final int AROUND_BODY_BYTES = 256;

    private static final long NEVER = 0;
    private static final long NO_TIMESTAMP = 0;
    private static final byte DEFAULT_PRIORITY = 4;

    private static final AtomicIntegerFieldUpdater<OutgoingMessage> ANSWERS =
            AtomicIntegerFieldUpdater.newUpdater(OutgoingMessage.class, "answers");

    private final SendCallback callback;
    private final Outstanding outstanding;

    @SuppressWarnings("UnusedVariable") // Used through the updater.
    private volatile int answers;

    /** Copies the payload, and counts the message as outstanding from now on. */
    OutgoingMessage(boolean durable, byte[] payload, SendCallback callback, Outstanding outstanding) {
        super(Message.BYTES_TYPE, durable, NEVER, NO_TIMESTAMP, DEFAULT_PRIORITY, payload.length + AROUND_BODY_BYTES);
        getBodyBuffer().writeBytes(payload);
        this.callback = callback;
        this.outstanding = outstanding;
        outstanding.sent();
    }

    void acknowledged() {
        if (isFirstAnswer()) {
            callback.acknowledged();
            outstanding.answered();
        }
    }

    void failed(Exception cause) {
        if (isFirstAnswer()) {
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
        boolean first = isFirstAnswer();
        if (first) {
            outstanding.answered();
        }
        return first;
    }

    private boolean isFirstAnswer() {
        return ANSWERS.getAndIncrement(this) == 0;
    }
}
