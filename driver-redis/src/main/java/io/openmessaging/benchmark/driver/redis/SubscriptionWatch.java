package io.openmessaging.benchmark.driver.redis;

import static io.openmessaging.benchmark.driver.redis.link.RedisCalls.THREADS;

import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.redis.link.Directory;
import io.openmessaging.benchmark.driver.redis.link.Links;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Keeps producers of lists up to date about subscriptions, since Redis' lists have no such concept.
 *
 * <p>The subscriptions of a topic are a set in Redis. A process that changes the set announces this on a channel of
 * the topic and learns from the reply how many connections listen there: one for each process with producers of the
 * topic. Each listener reads the set again, pushes to the new lists from then on, and confirms by a push to a list
 * named in the announcement. Once all have confirmed, every message sent afterwards reaches the new subscription. A
 * message therefore costs one {@code LPUSH} per subscription and nothing else.
 *
 * <p>A lost connection is opened again, and the sets are read again. This process has not confirmed any changes
 * announced in between, and the loss is counted as an error.
 */
final class SubscriptionWatch extends JedisPubSub {

    /** Lifetime of a list of confirmations, in case it is never read. */
    private static final int CONFIRMATION_LIFE_SECONDS = 600;

    private static final long RETRY_MS = 200;

    private final String firstChannel;
    private final Directory directory;
    private final Duration timeout;
    private final Links links;
    private final DriverEvents events;

    /** Replaced by the listening thread. */
    private volatile Jedis subscriber;

    /** For the listening thread, since the control thread may be waiting for a confirmation on its own connection. */
    private Jedis commands;

    private final Map<TopicSpec, ListPublisher> publishers = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> subscribed = new ConcurrentHashMap<>();
    private final CountDownLatch closing = new CountDownLatch(1);

    /**
     * Connects to the node that has the sets.
     *
     * @param firstChannel a channel of that node
     */
    SubscriptionWatch(String firstChannel, Directory directory, Duration timeout, Links links, DriverEvents events) {
        this.firstChannel = firstChannel;
        this.directory = directory;
        this.timeout = timeout;
        this.links = links;
        this.events = events;
        this.subscriber = links.jedis(node());
        this.commands = links.jedis(node());
    }

    private HostAndPort node() {
        return directory.current().nodeOf(firstChannel);
    }

    /**
     * Returns a publisher to the lists of a topic, which is kept up to date from now on.
     *
     * @param control connection of the calling thread to the same node
     */
    ListPublisher publisherOf(TopicSpec topic, Jedis control) throws InterruptedException {
        ListPublisher known = publishers.computeIfAbsent(topic, ListPublisher::new);
        listenTo(PartitionKeys.changes(topic));
        // After subscribing, so that no change falls between the two.
        known.update(control.smembers(PartitionKeys.subscriptions(topic)));
        return known;
    }

    private void listenTo(String channel) throws InterruptedException {
        CountDownLatch confirmed = new CountDownLatch(1);
        if (subscribed.putIfAbsent(channel, confirmed) != null) {
            return;
        }
        if (subscribed.size() == 1) {
            THREADS.daemon(() -> listen(channel), "redis-subscriptions").start();
        } else {
            subscribe(channel);
        }
        if (!confirmed.await(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new JedisException("no answer to SUBSCRIBE within " + timeout.toMillis() + " ms");
        }
    }

    // The listening thread

    private void listen(String firstChannel) {
        try {
            subscribeAndListen(firstChannel);
            while (!closing.await(RETRY_MS, TimeUnit.MILLISECONDS)) {
                listenAgain();
            }
        } catch (InterruptedException e) {
            // Nothing is expected to interrupt this thread, so an interrupt ends the run.
            events.fatal(e);
        } finally {
            links.close();
        }
    }

    /** Returns when the connection is lost. */
    private void subscribeAndListen(String... channels) {
        try {
            subscriber.subscribe(this, channels);
        } catch (JedisException e) {
            if (closing.getCount() > 0) {
                events.clientError(
                        "watch of subscriptions lost",
                        new JedisConnectionException(
                                "The connection to " + node() + " that watches subscriptions was lost.", e));
            }
        }
    }

    private void listenAgain() {
        links.breakOff();
        try {
            subscriber = links.jedis(node());
            commands = links.jedis(node());
        } catch (JedisException e) {
            directory.refreshed();
            events.clientError("watch of subscriptions", e);
            return;
        }
        subscribeAndListen(subscribed.keySet().toArray(String[]::new));
    }

    /** Reads the subscriptions again, since changes may have been missed while the connection was lost. */
    @Override
    public void onSubscribe(String channel, int channels) {
        refresh(channel);
        Objects.requireNonNull(subscribed.get(channel), "a channel that was subscribed to")
                .countDown();
    }

    @Override
    public void onMessage(String channel, String confirmations) {
        refresh(channel);
        commands.lpush(confirmations, "1");
        commands.expire(confirmations, CONFIRMATION_LIFE_SECONDS);
    }

    private void refresh(String channel) {
        publishers.forEach((topic, publisher) -> {
            if (PartitionKeys.changes(topic).equals(channel)) {
                publisher.update(commands.smembers(PartitionKeys.subscriptions(topic)));
            }
        });
    }

    void close() {
        closing.countDown();
        links.close();
    }
}
