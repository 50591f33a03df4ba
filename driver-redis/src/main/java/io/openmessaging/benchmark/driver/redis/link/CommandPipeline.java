package io.openmessaging.benchmark.driver.redis.link;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.SendCallback;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Commands written by one thread and answered on another. The sending thread encodes a command and continues; a reader
 * thread reads the replies, which arrive in the order of the commands, and calls the callbacks. The sender waits only
 * while the number of commands in flight equals the pipeline's depth.
 *
 * <p>Commands are written together when that costs nothing: while {@link #FEW} or more are in flight, Redis has work,
 * so further ones are held back until they fill a quarter of the depth or until the replies have caught up, when the
 * reader writes them. At a moderate rate, a message is therefore sent at once; at a high rate, one write carries many.
 *
 * <p>With {@link AcknowledgeAfter}, each write ends with a question whether its commands are stored where they must
 * be, and only the reply to that completes them. Redis does nothing else for the connection until then, so a write
 * waits until nothing is in flight, or for a quarter of the depth.
 *
 * <p>One thread at a time calls {@link #submit} and {@link #close}; any thread may call {@link #flush}.
 */
public final class CommandPipeline implements CommandSink {

    /** The number of small commands that Redis handles in the time that writing one takes here. */
    private static final int FEW = 8;

    /** Callback of a command whose outcome does not matter. */
    static final SendCallback NOBODY = new Silence();

    /** Marks a question in place of a callback: the reply to it completes the commands before it. */
    private static final SendCallback QUESTION = new Silence();

    private static final class Silence implements SendCallback {

        @Override
        public void acknowledged() {}

        @Override
        public void failed(Throwable cause) {}
    }

    private static final Duration READER_END_LIMIT = Duration.ofSeconds(2);

    private final RedisLink link;
    private final int depth;
    private final int batch;
    private final int few;
    private final @Nullable AcknowledgeAfter after;
    private final List<CommandArguments> questions;
    private final boolean holdsBack;
    private final Consumer<Throwable> onLoss;
    private final CompletableFuture<Void> readerEnded = new CompletableFuture<>();

    /** Callbacks of the commands in flight, at the command's number modulo the length. */
    private final @Nullable SendCallback[] callbacks;

    private final int mask;

    private final ReentrantLock writing = new ReentrantLock();

    /** Number of commands accepted; changed under the lock. */
    private volatile long submitted;

    /** Number of them known to be written to the socket; changed under the lock. */
    private volatile long flushed;

    /** Number of them answered, with their callbacks called; changed by the reader. */
    private volatile long completed;

    /** Number of them answered, including those whose question is not answered yet. Used only by the reader. */
    private long answered;

    /** Reason that no further command is accepted; changed under the lock. */
    private volatile @Nullable Throwable failure;

    private volatile @Nullable Thread waiting;
    private volatile boolean closing;

    /**
     * Takes over the link and starts the reader.
     *
     * @param onLoss called, on the reader's thread, when the connection is lost
     */
    public CommandPipeline(PipelineSpec spec, RedisLink link, Consumer<Throwable> onLoss) {
        this.link = link;
        this.depth = spec.depth();
        this.batch = Math.max(1, depth / 4);
        this.holdsBack = spec.holdsBack();
        this.onLoss = onLoss;
        this.after = spec.after();
        this.questions = after == null ? List.of() : after.questions();
        this.few = after == null ? FEW : 1;
        // Room for the questions after the last command.
        int capacity = Integer.highestOneBit(2 * (depth + questions.size()) - 1);
        this.callbacks = new @Nullable SendCallback[capacity];
        this.mask = capacity - 1;
        RedisCalls.THREADS
                .daemon(() -> readReplies(spec.answerLimit()), spec.name())
                .start();
    }

    /** Returns whether the connection is lost, so that every further command fails. */
    public boolean isLost() {
        return failure != null;
    }

    /**
     * Accepts a command and copies its data. The callback is called on the reader's thread, or on this one if the
     * command fails at once.
     */
    @Override
    public void submit(CommandArguments command, SendCallback callback) throws InterruptedException {
        if (submitted - completed >= depth) {
            await(depth - 1L, null);
        }
        Throwable refusal;
        writing.lock();
        try {
            refusal = failure;
            if (refusal == null) {
                long number = submitted;
                callbacks[(int) number & mask] = callback;
                submitted = number + 1;
                write(command);
            }
        } finally {
            writing.unlock();
        }
        if (refusal != null) {
            callback.failed(refusal);
        }
    }

    private void write(CommandArguments command) {
        try {
            link.write(command);
            if (!holdsBack && (wouldRunDry() || submitted - flushed >= batch)) {
                flushLocked();
            }
        } catch (JedisConnectionException | IOException e) {
            // The reader fails everything in flight, including this command.
            fail(e);
        }
    }

    private boolean wouldRunDry() {
        return flushed - completed < few;
    }

    /**
     * Writes held-back commands and waits until at most {@code mostUnderWay} are in flight, or until the deadline, if
     * any.
     */
    private void await(long mostUnderWay, @Nullable Deadline deadline) throws InterruptedException {
        flush();
        waiting = Thread.currentThread();
        try {
            while (submitted - completed > mostUnderWay && (deadline == null || !deadline.hasPassed())) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("Interrupted while waiting for answers of " + link.node() + ".");
                }
                LockSupport.parkNanos(this, deadline == null ? Long.MAX_VALUE : deadline.leftNs());
            }
        } finally {
            waiting = null;
        }
    }

    /** Writes held-back commands and waits until nothing is in flight, or until the deadline. */
    void awaitAnswers(Deadline deadline) throws InterruptedException {
        await(0, deadline);
    }

    /** Writes held-back commands. */
    public void flush() {
        if (submitted == flushed) {
            return;
        }
        writing.lock();
        try {
            // Questions on a lost connection get no reply.
            if (failure == null) {
                flushLocked();
            }
        } catch (JedisConnectionException | IOException e) {
            fail(e);
        } finally {
            writing.unlock();
        }
    }

    private void flushLocked() throws IOException {
        if (after != null && submitted > flushed) {
            for (int i = 0; i < questions.size(); i++) {
                long number = submitted;
                callbacks[(int) number & mask] = i + 1 < questions.size() ? NOBODY : QUESTION;
                submitted = number + 1;
                link.write(questions.get(i));
            }
        }
        link.flush();
        flushed = submitted;
    }

    /** Closes the link. Called under the lock. Returns the first cause, which is the one that counts. */
    private Throwable fail(Throwable cause) {
        Throwable first = failure == null ? cause : failure;
        failure = first;
        link.close();
        return first;
    }

    private void readReplies(Duration timeout) {
        try {
            link.limitReads(timeout);
            while (true) {
                if (!link.hasReply()) {
                    beforeWaiting();
                    awaitReply(timeout);
                }
                complete();
            }
        } catch (IOException | JedisConnectionException e) {
            end(e);
        } finally {
            readerEnded.complete(null);
        }
    }

    /** Writes more, since the replies have caught up with what was written, and wakes a sender that waits for room. */
    private void beforeWaiting() {
        if (!holdsBack && submitted > flushed && wouldRunDry()) {
            flush();
        }
        Thread sender = waiting;
        // Not for each free place: a sender that is woken once half of them are free writes these commands together.
        if (sender != null && submitted - completed <= depth / 2) {
            LockSupport.unpark(sender);
        }
    }

    private void awaitReply(Duration timeout) throws IOException {
        long submittedBefore = submitted;
        while (!link.awaitReply()) {
            // A command accepted during this wait still has its full time.
            if (submittedBefore > completed) {
                throw new IOException(
                        "Redis at " + link.node() + " has not answered for " + timeout.toMillis() + " ms");
            }
            submittedBefore = submitted;
        }
    }

    private void complete() throws IOException {
        Object reply = null;
        JedisDataException error = null;
        try {
            reply = link.read();
        } catch (JedisDataException e) {
            error = e;
        }
        long number = answered;
        int index = (int) number & mask;
        SendCallback callback = callbacks[index];
        if (number == submitted || callback == null) {
            throw new IOException("Redis at " + link.node() + " has sent a reply that belongs to no command: " + error);
        }
        answered = number + 1;
        if (after == null) {
            tell(number, error);
            completed = number + 1;
        } else if (callback == QUESTION) {
            Throwable failure = error == null ? after.shortfall(reply) : error;
            for (long before = completed; before <= number; before++) {
                tell(before, failure);
            }
            completed = number + 1;
        } else if (error != null) {
            tell(number, error);
        }
    }

    /** Calls the callback of a command, unless it has been called before. */
    private void tell(long number, @Nullable Throwable failure) {
        int index = (int) number & mask;
        SendCallback callback = callbacks[index];
        callbacks[index] = null;
        if (callback == null) {
            return;
        }
        if (failure == null) {
            callback.acknowledged();
        } else {
            callback.failed(failure);
        }
    }

    private void end(Throwable cause) {
        // Before taking the lock: a sender that is stuck in a write may hold it.
        link.close();
        Throwable reason;
        writing.lock();
        try {
            Throwable first = fail(cause);
            reason = closing ? new IOException("The producer was closed before Redis had answered.", cause) : first;
        } finally {
            writing.unlock();
        }
        for (long number = completed; number < submitted; number++) {
            tell(number, reason);
        }
        completed = submitted;
        LockSupport.unpark(waiting);
        if (!closing) {
            onLoss.accept(reason);
        }
    }

    /**
     * Writes held-back commands, waits for the replies and ends the reader. Every callback has been called when this
     * returns. If the thread is interrupted, it does not wait for replies and the interrupt status is left set.
     */
    public void close(Deadline deadline) {
        try {
            if (!Thread.currentThread().isInterrupted()) {
                await(0, deadline);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closing = true;
        // This ends the reader at once.
        link.close();
        Deadline.in(READER_END_LIMIT).awaitEnd(readerEnded);
    }
}
