package io.openmessaging.benchmark.driver.redis.read;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.PausableReader;
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
 * One of a consumer's connections and the thread that reads it through a {@link MessageSource}. It survives errors and
 * lost connections for up to the run's timeout, counts them, and ends the run if they last longer.
 */
public final class ReadLoop extends PausableReader {

    private static final Duration PAUSE_AFTER_ERROR = Duration.ofMillis(100);

    /** The limit of other clients; further redirections are errors. */
    private static final int MOST_REDIRECTIONS = 16;

    private final ConsumerSpec spec;
    private final String key;
    private final Directory directory;
    private final MessageSource source;
    private final Links links;
    private final DriverContext context;
    private final Thread thread;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /**
     * Null while there is no connection. Used only by the loop's thread once that is started, like {@link #errorsEnd}.
     */
    private @Nullable RedisLink link;

    /** When a series of errors becomes fatal; null while there are none. */
    private @Nullable Deadline errorsEnd;

    /** The node to ask instead of the key's owner while its slot is moving; null for none. */
    private @Nullable HostAndPort asked;

    /** Number of redirections in a row. */
    private int redirections;

    /**
     * Does not connect yet.
     *
     * @param key a key on the node that has everything to be read
     * @param links connections of this loop only
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

    /** Connects and attaches to the subscription. Blocks uninterruptibly; {@link #breakOff} ends it. */
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

    /** Starts reading; called once. */
    public void start() {
        thread.start();
    }

    /** Makes the loop end once it has delivered what it has received. */
    public void stop() {
        end();
        if (source.isPushed()) {
            links.close();
        }
    }

    /** Ends the loop at once, whatever it waits for. */
    public void breakOff() {
        end();
        links.close();
    }

    /** Returns a future that completes when a started loop has ended. */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    private void run() {
        try {
            readUntilStopped();
            if (link != null) {
                source.settle(link);
            }
        } catch (InterruptedException e) {
            // Nothing is expected to interrupt the thread.
        } catch (IOException | JedisException e) {
            // Reading is over, so Redis need not learn of these acknowledgements.
        } finally {
            links.close();
            ended.complete(null);
        }
    }

    private void readUntilStopped() throws InterruptedException {
        while (!hasEnded()) {
            try {
                RedisLink opened = link == null ? open() : link;
                if (isPaused()) {
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
                    // The node may have become a replica, or its cluster may have dropped it.
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

    /** Switches to the node that Redis names. Entries read and not acknowledged are pending there, too. */
    private void follow(JedisRedirectionException to) throws InterruptedException {
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

    /** Counts an error and waits a little, unless the loop is stopping anyway. */
    private void survive(String kind, Exception error) throws InterruptedException {
        if (hasEnded()) {
            return;
        }
        Deadline end = errorsEnd;
        if (end == null) {
            errorsEnd = Deadline.in(context.timeout());
        } else if (end.hasPassed()) {
            context.events()
                    .fatal(new DriverException(
                            "Only errors occurred for " + end.limit().toMillis() + " ms at topic '"
                                    + spec.topic().name() + "', subscription '" + spec.subscription() + "' at " + node()
                                    + ": " + RedisCalls.reason(error),
                            error));
            end();
            return;
        }
        context.events().clientError(kind, error);
        synchronized (this) {
            if (!hasEnded()) {
                wait(PAUSE_AFTER_ERROR.toMillis());
            }
        }
    }
}
