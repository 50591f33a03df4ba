package io.openmessaging.benchmark.driver.redis;

import static io.openmessaging.benchmark.driver.redis.RedisCalls.THREADS;

import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol.Command;
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
 */
final class SubscriptionWatch {

    /** For the list of confirmations, in case nobody reads them any more. */
    private static final int CONFIRMATION_LIFE_SECONDS = 600;

    private final HostAndPort node;
    private final Duration timeout;
    private final Links links;
    private final DriverEvents events;
    private final RedisLink subscriber;

    /** For the reader, since the control thread may be waiting in its own connection for the reader's confirmation. */
    private final Jedis commands;

    private final Map<TopicSpec, ListTargets> targets = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> subscribed = new ConcurrentHashMap<>();
    private volatile boolean closing;

    /** Connects to the node that has the sets. */
    private SubscriptionWatch(HostAndPort node, Duration timeout, Links links, DriverEvents events) {
        this.node = node;
        this.timeout = timeout;
        this.links = links;
        this.events = events;
        this.subscriber = links.open(node);
        this.commands = links.jedis(node);
    }

    /** Connects to the node that has the sets and starts to listen. */
    static SubscriptionWatch start(HostAndPort node, Duration timeout, Links links, DriverEvents events)
            throws IOException {
        SubscriptionWatch watch = new SubscriptionWatch(node, timeout, links, events);
        watch.subscriber.limitReads(Duration.ZERO);
        THREADS.daemon(watch::listen, "redis-subscriptions").start();
        return watch;
    }

    /**
     * The lists of a topic, from now on kept up to date.
     *
     * @param control a connection of the calling thread to the same node
     */
    ListTargets targetsOf(TopicSpec topic, Jedis control) throws IOException, InterruptedException {
        ListTargets known = targets.computeIfAbsent(topic, ListTargets::new);
        subscribe(PartitionKeys.changes(topic));
        // After the subscription, so that no change falls between the two.
        known.update(control.smembers(PartitionKeys.subscriptions(topic)));
        return known;
    }

    private void subscribe(String channel) throws IOException, InterruptedException {
        if (subscribed.containsKey(channel)) {
            return;
        }
        CountDownLatch confirmed = new CountDownLatch(1);
        subscribed.put(channel, confirmed);
        subscriber.write(new CommandArguments(Command.SUBSCRIBE).add(channel));
        subscriber.flush();
        if (!confirmed.await(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new JedisException("no answer to SUBSCRIBE within " + timeout.toMillis() + " ms");
        }
    }

    private void listen() {
        try {
            while (!closing) {
                List<?> push = (List<?>) Objects.requireNonNull(subscriber.read(), "a subscriber gets no null");
                String type = text(push.get(0));
                String channel = text(push.get(1));
                if (type.equals("message")) {
                    reload(channel, text(push.get(2)));
                } else {
                    Objects.requireNonNull(subscribed.get(channel), "a channel that was subscribed to")
                            .countDown();
                }
            }
        } catch (JedisException e) {
            if (!closing) {
                // Lists are not told to others any more: messages for a new subscription would be lost in silence.
                events.fatal(new JedisConnectionException(
                        "The connection to " + node + " that tells of subscriptions was lost.", e));
            }
        } finally {
            links.close();
        }
    }

    private void reload(String channel, String confirmations) {
        for (ListTargets known : targets.values()) {
            if (PartitionKeys.changes(known.topic()).equals(channel)) {
                Set<String> names = commands.smembers(PartitionKeys.subscriptions(known.topic()));
                known.update(names);
            }
        }
        commands.lpush(confirmations, "1");
        commands.expire(confirmations, CONFIRMATION_LIFE_SECONDS);
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.UTF_8);
    }

    void close() {
        closing = true;
        links.close();
    }
}
