package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The thread that reads one {@link MessageSource}. It survives errors and lost connections for as long as the run's
 * timeout, counts them, and ends the run if they last longer.
 */
final class ReadLoop {

    private static final Duration PAUSE_AFTER_ERROR = Duration.ofMillis(100);

    private final MessageSource source;
    private final Links links;
    private final DriverContext context;
    private final Thread thread;

    private final Object signal = new Object();
    private volatile boolean paused;
    private volatile boolean stopping;

    /** On the loop's own thread: since when nothing but errors has come, null while all is well. */
    private @Nullable Deadline errorsEnd;

    /**
     * Takes a source over that has been opened.
     *
     * @param links those of the source
     */
    ReadLoop(String name, MessageSource source, Links links, DriverContext context) {
        this.source = source;
        this.links = links;
        this.context = context;
        this.thread = RedisCalls.THREADS.daemon(this::run, name);
    }

    void start() {
        thread.start();
    }

    void pause() {
        paused = true;
    }

    void resume() {
        paused = false;
        wake();
    }

    /** Lets the loop end once it has delivered what it has got. */
    void stop() {
        stopping = true;
        source.wakeUp();
        wake();
    }

    private void wake() {
        synchronized (signal) {
            signal.notifyAll();
        }
    }

    /** Ends the loop at once, in the middle of whatever it waits for. */
    void breakOff() {
        stopping = true;
        links.close();
        wake();
    }

    /** Waits for the end of the loop; false if it did not come. */
    boolean awaitEnd(Deadline deadline) throws InterruptedException {
        TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline.leftNs()));
        return !thread.isAlive();
    }

    private void run() {
        boolean connected = true;
        while (!stopping) {
            try {
                if (!connected) {
                    source.open();
                    connected = true;
                }
                if (paused) {
                    source.settle();
                    awaitResumed();
                } else {
                    source.deliverSome();
                }
                errorsEnd = null;
            } catch (JedisDataException e) {
                survive("consumer read", e);
            } catch (IOException | JedisException e) {
                survive(connected ? source.lossKind() : "consumer connection", e);
                connected = false;
            } catch (RuntimeException e) {
                context.events().fatal(e);
                break;
            }
        }
        end(connected);
    }

    private void end(boolean connected) {
        try {
            if (connected) {
                source.settle();
            }
        } catch (IOException | JedisException e) {
            // Nobody reads on: what Redis does not learn now, it need not know.
        } finally {
            links.close();
        }
    }

    private void awaitResumed() {
        synchronized (signal) {
            while (paused && !stopping) {
                waitFor(0);
            }
        }
    }

    /** Counts an error and waits a little, unless the loop is to end anyway. */
    private void survive(String kind, Exception error) {
        if (stopping) {
            return;
        }
        Deadline end = errorsEnd;
        if (end == null) {
            errorsEnd = Deadline.in(context.timeout());
        } else if (end.hasPassed()) {
            context.events()
                    .fatal(new DriverException(
                            "There were nothing but errors for " + end.limit().toMillis() + " ms at " + source + ": "
                                    + RedisCalls.reason(error),
                            error));
            stopping = true;
            return;
        }
        context.events().clientError(kind, error);
        synchronized (signal) {
            if (!stopping) {
                waitFor(PAUSE_AFTER_ERROR.toMillis());
            }
        }
    }

    /** In a block of {@link #signal}. The thread is nobody's to interrupt; whoever does it ends the loop. */
    private void waitFor(long limitMs) {
        try {
            signal.wait(limitMs);
        } catch (InterruptedException e) {
            stopping = true;
        }
    }
}
