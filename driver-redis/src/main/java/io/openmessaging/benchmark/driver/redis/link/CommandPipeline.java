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
 * thread takes the replies, which come in the order of the commands, and calls the callbacks. The sender waits only
 * while as many commands are under way as the pipeline is deep.
 *
 * <p>Commands are written together when that costs nothing: while {@link #FEW} or more are under way, Redis has work,
 * and further ones are held back until they are a quarter of the depth or until the replies have caught up, when the
 * reader writes them. So a message at a moderate rate goes out at once, and at a high rate one write carries many.
 *
 * <p>With {@link AcknowledgeAfter}, each write ends with a question whether what it carries is where it has to be, and only the
 * answer completes these commands. Redis does nothing else for the connection until then: so a write waits until nothing
 * is under way, or for a quarter of the depth.
 *
 * <p>One thread at a time calls {@link #submit} and {@link #close}; {@link #flush} may be called by any.
 */
public final class CommandPipeline implements CommandSink {

    /** As many small commands as Redis handles in the time that a write of one takes here. */
    private static final int FEW = 8;

    /** For a command whose outcome nobody wants to know. */
    static final SendCallback NOBODY = new Silence();

    /** In the place of a callback: the answer to this command completes those before it. */
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

    /** Those of the commands under way, at the index of the command's number modulo the length. */
    private final @Nullable SendCallback[] callbacks;

    private final int mask;

    private final ReentrantLock writing = new ReentrantLock();

    /** How many commands were taken; changed under the lock. */
    private volatile long submitted;

    /** How many of them were written to the socket, as far as it is known; changed under the lock. */
    private volatile long flushed;

    /** How many of them were answered, and their callbacks called; changed by the reader. */
    private volatile long completed;

    /** How many of them were answered, those included that the next question is about. The reader's. */
    private long answered;

    /** Why no command is taken any more; changed under the lock. */
    private volatile @Nullable Throwable failure;

    private volatile @Nullable Thread waiting;
    private volatile boolean closing;

    /**
     * Takes the link over and starts the reader.
     *
     * @param onLoss told, on the reader's thread, when the connection is lost
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
        // Room for the questions behind the last command.
        int capacity = Integer.highestOneBit(2 * (depth + questions.size()) - 1);
        this.callbacks = new @Nullable SendCallback[capacity];
        this.mask = capacity - 1;
        RedisCalls.THREADS
                .daemon(() -> readReplies(spec.answerLimit()), spec.name())
                .start();
    }

    /** Whether the connection is lost, so that every further command fails. */
    public boolean isLost() {
        return failure != null;
    }

    /** Takes a command and copies what it carries. The callback is called on the reader's thread, or here if it fails. */
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
            // The reader fails what is under way, this command included.
            fail(e);
        }
    }

    private boolean wouldRunDry() {
        return flushed - completed < few;
    }

    /**
     * Writes what is held back and waits until no more than so many are under way, or until the deadline, if there is one.
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

    /** Writes what is held back and waits until nothing is under way, or until the deadline. */
    void awaitAnswers(Deadline deadline) throws InterruptedException {
        await(0, deadline);
    }

    /** Writes what is held back. */
    public void flush() {
        if (submitted == flushed) {
            return;
        }
        writing.lock();
        try {
            // Nobody answers questions to a connection that is lost.
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

    /** Called under the lock. Returns the first cause, which is the one that counts. */
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

    /** The replies have caught up with what was written: time to write more, and to wake who waits for room. */
    private void beforeWaiting() {
        if (!holdsBack && submitted > flushed && wouldRunDry()) {
            flush();
        }
        Thread sender = waiting;
        // Not for each place that gets free: a sender that is woken for half of them writes these together.
        if (sender != null && submitted - completed <= depth / 2) {
            LockSupport.unpark(sender);
        }
    }

    private void awaitReply(Duration timeout) throws IOException {
        long submittedBefore = submitted;
        while (!link.awaitReply()) {
            // A command that was taken while this waited has its time still before it.
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
            throw new IOException("Redis at " + link.node() + " has sent a reply to no command: " + error);
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

    /** Calls the callback of a command, unless it was called before. */
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
        // Before the lock, which a sender may hold that is stuck in a write.
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
     * Writes what is held back, waits for the replies and ends the reader. Every callback has been called afterwards.
     * If the thread is interrupted, it does not wait for replies and the interrupt status is left set.
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
        // The reader ends at once then.
        link.close();
        Deadline.in(READER_END_LIMIT).awaitEnd(readerEnded);
    }
}
