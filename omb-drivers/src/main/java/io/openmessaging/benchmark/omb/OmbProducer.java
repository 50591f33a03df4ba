package io.openmessaging.benchmark.omb;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Outstanding;
import io.openmessaging.benchmark.driver.SendCallback;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A producer of a driver of OMB. Each message gets one answer, even if the driver's future is missing, fails, or never
 * completes.
 */
final class OmbProducer implements BenchmarkProducer {

    /** Number of remembered messages from which on it is worth looking for answered ones between unanswered ones. */
    private static final int FIRST_SWEEP = 1 << 16;

    private final OmbApi api;
    private final Object producer;
    private final int scratchBytes;
    private final Calls calls;
    private final Duration timeout;
    private final Outstanding outstanding = new Outstanding();

    /** The messages without an answer, in the order of sending, and some that have one. Used by the sending thread. */
    private final ArrayDeque<Answer> sent = new ArrayDeque<>();

    private int nextSweep = FIRST_SWEEP;

    OmbProducer(OmbApi api, Object producer, int scratchBytes, Calls calls, Duration timeout) {
        this.api = api;
        this.producer = producer;
        this.scratchBytes = scratchBytes;
        this.calls = calls;
        this.timeout = timeout;
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) {
        Answer answer = new Answer(callback, outstanding);
        remember(answer);
        outstanding.sent();
        if (scratchBytes > 0) {
            makeRoom(payload);
        }
        try {
            CompletableFuture<?> future = api.send(producer, Optional.ofNullable(key), payload);
            if (future == null) {
                answer.accept(null, new DriverException("sendAsync of the driver returned no future"));
            } else {
                CompletableFuture<?> unused = future.whenComplete(answer);
            }
        } catch (Throwable e) {
            // Whatever a driver throws, the message needs an answer.
            answer.accept(null, e);
        }
    }

    /** Moves the message behind the bytes that the driver overwrites; its last bytes are lost. */
    private void makeRoom(byte[] payload) {
        if (payload.length > scratchBytes) {
            System.arraycopy(payload, 0, payload, scratchBytes, payload.length - scratchBytes);
        }
    }

    private void remember(Answer answer) {
        for (Answer oldest = sent.peek(); oldest != null && oldest.given(); oldest = sent.peek()) {
            sent.remove();
        }
        if (sent.size() >= nextSweep) {
            // One message that is never answered must not keep all later ones in memory.
            sent.removeIf(Answer::given);
            nextSweep = Math.max(FIRST_SWEEP, 2 * sent.size());
        }
        sent.add(answer);
    }

    /**
     * Waits for the answers first, for half of the time, since some drivers drop what they hold when they are closed;
     * others send it only then.
     */
    @Override
    public void close() throws DriverException {
        Deadline deadline = Deadline.in(timeout);
        Deadline.in(timeout.dividedBy(2)).awaitUnlessInterrupted(outstanding.none());
        try {
            calls.run("close a producer", deadline, () -> ((AutoCloseable) producer).close());
            deadline.awaitUnlessInterrupted(outstanding.none());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            TimeoutException late = new TimeoutException("no answer when the producer was closed");
            sent.forEach(answer -> answer.accept(null, late));
            sent.clear();
        }
    }

    /** The answer to a message, which is passed on once. */
    private static final class Answer implements BiConsumer<@Nullable Object, @Nullable Throwable> {

        private static final VarHandle CALLBACK;

        static {
            try {
                CALLBACK = MethodHandles.lookup().findVarHandle(Answer.class, "callback", SendCallback.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private final Outstanding outstanding;

        /** Null once the answer is given. */
        private volatile @Nullable SendCallback callback;

        Answer(SendCallback callback, Outstanding outstanding) {
            this.callback = callback;
            this.outstanding = outstanding;
        }

        boolean given() {
            return callback == null;
        }

        @Override
        public void accept(@Nullable Object result, @Nullable Throwable failure) {
            SendCallback waiting = (SendCallback) CALLBACK.getAndSet(this, (SendCallback) null);
            if (waiting == null) {
                return;
            }
            if (failure == null) {
                waiting.acknowledged();
            } else {
                waiting.failed(Calls.unwrapped(failure));
            }
            outstanding.answered();
        }
    }
}
