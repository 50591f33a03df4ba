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
 * Keeps producers of lists up to date about subscriptions, of which Redis' lists know nothing.
 *
 * <p>The subscriptions of a topic are a set in Redis. Whoever changes it announces the change on a channel of the topic
 * and learns from the answer how many connections listen there: one for each process with producers of the topic. Each
 * of these reads the set again, pushes to the new lists from then on, and confirms, to a list that the announcement
 * names. When all have confirmed, every message sent afterwards reaches the new subscription. So a message costs one
 * {@code LPUSH} for each subscription and nothing else.
 *
 * <p>A connection that is lost is opened again, and the sets are read again; what was announced meanwhile has been
 * confirmed by nobody, and the loss is counted.
 */
final class SubscriptionWatch extends JedisPubSub {

    /** For the list of confirmations, in case nobody reads them any more. */
    private static final int CONFIRMATION_LIFE_SECONDS = 600;

    private static final long RETRY_MS = 200;

    private final String firstChannel;
    private final Directory directory;
    private final Duration timeout;
    private final Links links;
    private final DriverEvents events;

    /** Replaced by the listening thread. */
    private volatile Jedis subscriber;

    /** For the listening thread, since the control thread may be waiting in its own connection for a confirmation. */
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
     * Pushes to the lists of a topic, which are from now on kept up to date.
     *
     * @param control a connection of the calling thread to the same node
     */
    ListPublisher publisherOf(TopicSpec topic, Jedis control) throws InterruptedException {
        ListPublisher known = publishers.computeIfAbsent(topic, ListPublisher::new);
        listenTo(PartitionKeys.changes(topic));
        // After the subscription, so that no change falls between the two.
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
            // The thread is nobody's to interrupt; whoever does it ends it.
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

    /** After a connection was lost, changes have been missed. */
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
