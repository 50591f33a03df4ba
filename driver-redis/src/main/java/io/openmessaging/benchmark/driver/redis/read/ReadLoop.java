package io.openmessaging.benchmark.driver.redis.read;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.redis.link.Directory;
import io.openmessaging.benchmark.driver.redis.link.Links;
import io.openmessaging.benchmark.driver.redis.link.RedisCalls;
import io.openmessaging.benchmark.driver.redis.link.RedisLink;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * One of a consumer's connections and the thread that reads it, by way of a {@link MessageSource}. It survives errors and
 * lost connections for as long as the run's timeout, counts them, and ends the run if they last longer.
 */
public final class ReadLoop {

    private static final Duration PAUSE_AFTER_ERROR = Duration.ofMillis(100);

    /** As many as other clients follow; more are errors. */
    private static final int MOST_REDIRECTIONS = 16;

    private final ConsumerSpec spec;
    private final String key;
    private final Directory directory;
    private final MessageSource source;
    private final Links links;
    private final DriverContext context;
    private final Thread thread;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private volatile boolean paused;
    private volatile boolean stopping;

    /** Null while there is no connection. The loop's own thread's, once that is started, like {@link #errorsEnd}. */
    private @Nullable RedisLink link;

    /** Until when nothing but errors may come, null while all is well. */
    private @Nullable Deadline errorsEnd;

    /** The node to be asked in place of the one that has the key, while its slot is moved; null for none. */
    private @Nullable HostAndPort asked;

    /** How often the loop was sent elsewhere in a row. */
    private int redirections;

    /**
     * Not open yet.
     *
     * @param key whose node has everything that is read
     * @param links used for this loop only
     */
    public ReadLoop(
            ConsumerSpec spec,
            String key,
            Directory directory,
            MessageSource source,
            Links links,
            DriverContext context) {
        this.spec = spec;
        this.key = key;
        this.directory = directory;
        this.source = source;
        this.links = links;
        this.context = context;
        this.thread = RedisCalls.THREADS.daemon(this::run, "redis-consumer-" + spec.id());
    }

    /** Connects and attaches to the subscription. Blocks, and not interruptibly: {@link #breakOff} ends it. */
    public RedisLink open() throws IOException {
        HostAndPort once = asked;
        asked = null;
        RedisLink opened = once == null ? links.open(node()) : links.open(once).asking();
        opened.limitReads(context.timeout().plus(MessageSource.LONGEST_WAIT));
        source.attach(opened);
        link = opened;
        return opened;
    }

    private HostAndPort node() {
        return directory.current().nodeOf(key);
    }

    /** Begins to read; once. */
    public void start() {
        thread.start();
    }

    /** Lets the loop rest once it has delivered what it has got. */
    public void pause() {
        paused = true;
    }

    /** Reads on. */
    public void resume() {
        paused = false;
        wake();
    }

    /** Lets the loop end once it has delivered what it has got. */
    public void stop() {
        stopping = true;
        if (source.isPushed()) {
            links.close();
        }
        wake();
    }

    private synchronized void wake() {
        notifyAll();
    }

    /** Ends the loop at once, in the middle of whatever it waits for. */
    public void breakOff() {
        stopping = true;
        links.close();
        wake();
    }

    /** Complete once a loop that was started has ended. */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    private void run() {
        try {
            readUntilStopped();
            if (link != null) {
                source.settle(link);
            }
        } catch (IOException | JedisException e) {
            // Nobody reads on: what Redis does not learn now, it need not know.
        } finally {
            links.close();
            ended.complete(null);
        }
    }

    private void readUntilStopped() {
        while (!stopping) {
            try {
                RedisLink opened = link == null ? open() : link;
                if (paused) {
                    source.settle(opened);
                    awaitResumed();
                } else {
                    source.deliverSome(opened);
                }
                errorsEnd = null;
                redirections = 0;
            } catch (JedisRedirectionException e) {
                follow(e);
            } catch (JedisDataException e) {
                survive("consumer read", e);
                if (directory.follows()) {
                    // It may have become a replica, or its cluster gone on without it.
                    lookElsewhere();
                }
            } catch (IOException | JedisException e) {
                String lost = source.isPushed() ? "subscriber connection lost" : "consumer connection lost";
                survive(link == null ? "consumer connection" : lost, e);
                lookElsewhere();
            } catch (RuntimeException e) {
                context.events().fatal(e);
                break;
            }
        }
    }

    private void lookElsewhere() {
        links.breakOff();
        link = null;
        directory.refreshed();
    }

    /** Goes to the node that Redis names. What was read and not acknowledged is pending there, too. */
    private void follow(JedisRedirectionException to) {
        boolean once = to instanceof JedisAskDataException;
        boolean known = once ? directory.follows() : directory.moved(to);
        if (!known || ++redirections > MOST_REDIRECTIONS) {
            survive("consumer read", to);
        }
        if (known) {
            links.breakOff();
            link = null;
            asked = once ? to.getTargetNode() : null;
        }
    }

    private synchronized void awaitResumed() {
        while (paused && !stopping) {
            waitFor(0);
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
                            "There were nothing but errors for " + end.limit().toMillis() + " ms at topic '"
                                    + spec.topic().name() + "', subscription '" + spec.subscription() + "' at " + node()
                                    + ": " + RedisCalls.reason(error),
                            error));
            stopping = true;
            return;
        }
        context.events().clientError(kind, error);
        synchronized (this) {
            if (!stopping) {
                waitFor(PAUSE_AFTER_ERROR.toMillis());
            }
        }
    }

    /** In a block of this object's lock. The thread is nobody's to interrupt; whoever does it ends the loop. */
    private void waitFor(long limitMs) {
        try {
            wait(limitMs);
        } catch (InterruptedException e) {
            stopping = true;
        }
    }
}
