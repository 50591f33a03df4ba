package io.openmessaging.benchmark.driver.acme;

import static io.openmessaging.benchmark.driver.acme.AcmeBenchmarkDriver.CALLS;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for the system and its client: keeps topics in this process, visible to all connections. Replace it with
 * the client, or with a class that wraps it. Thread-safe.
 */
final class AcmeClient implements AutoCloseable {

    static final String VERSION = "0";

    /** Messages above this size are refused. */
    static final int MAX_MESSAGE_BYTES = 1 << 20;

    private static final Map<String, Topic> TOPICS = new ConcurrentHashMap<>();

    private final List<String> brokers;
    private final List<Subscription> opened = new ArrayList<>();

    private AcmeClient(List<String> brokers) {
        this.brokers = brokers;
    }

    /** Receives messages, one at a time. */
    interface Handler {

        void received(@Nullable String key, byte[] payload, int partition);
    }

    private record Message(@Nullable String key, byte[] payload, int partition) {}

    static AcmeClient connect(List<String> brokers) throws IOException {
        if (!brokers.isEmpty()) {
            throw new IOException("AcmeClient is a stand-in that reaches no network");
        }
        return new AcmeClient(brokers);
    }

    /** Returns {@code host:port} of each broker. */
    List<String> brokers() {
        return brokers;
    }

    String brokerVersion() {
        return VERSION;
    }

    void createTopic(String name, int partitions) throws IOException {
        if (TOPICS.putIfAbsent(name, new Topic(partitions)) != null) {
            throw new IOException("the topic exists");
        }
    }

    /** Does nothing if there is no such topic. */
    void deleteTopic(String name) {
        TOPICS.remove(name);
    }

    private static Topic topic(String name) throws IOException {
        Topic topic = TOPICS.get(name);
        if (topic == null) {
            throw new IOException("there is no topic '" + name + "'");
        }
        return topic;
    }

    /** Completes when the broker has the message, or with the reason why it refuses it. */
    CompletableFuture<Void> publish(String topic, int partition, @Nullable String key, byte[] payload) {
        try {
            if (payload.length > MAX_MESSAGE_BYTES) {
                throw new IOException("a message may have " + MAX_MESSAGE_BYTES + " bytes, got " + payload.length);
            }
            topic(topic).add(new Message(key, payload, partition));
            return CompletableFuture.completedFuture(null);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Joins a group of consumers, which share the messages that are sent from its first subscription on. */
    synchronized Subscription subscribe(String topic, String group, Handler handler) throws IOException {
        Subscription subscription = new Subscription(topic(topic).group(group), handler);
        opened.add(subscription);
        return subscription;
    }

    @Override
    public synchronized void close() {
        opened.forEach(Subscription::close);
    }

    private static final class Topic {

        private final int partitions;
        private final Map<String, Group> groups = new HashMap<>();

        Topic(int partitions) {
            this.partitions = partitions;
        }

        synchronized void add(Message message) {
            groups.values().forEach(group -> group.add(message));
        }

        synchronized Group group(String name) {
            return groups.computeIfAbsent(name, created -> new Group(partitions));
        }
    }

    /** Keeps the messages of each partition until the member that owns the partition takes them. */
    private static final class Group {

        private final List<Queue<Message>> partitions = new ArrayList<>();
        private final List<Subscription> members = new ArrayList<>();

        Group(int partitions) {
            for (int i = 0; i < partitions; i++) {
                this.partitions.add(new ArrayDeque<>());
            }
        }

        synchronized void add(Message message) {
            partitions.get(message.partition()).add(message);
            notifyAll();
        }

        /** Returns a member's next message, or null once it has left. */
        synchronized @Nullable Message take(Subscription member) throws InterruptedException {
            while (members.contains(member)) {
                Message next = member.paused ? null : poll(members.indexOf(member));
                if (next != null) {
                    return next;
                }
                wait();
            }
            return null;
        }

        private @Nullable Message poll(int member) {
            for (int partition = member; partition < partitions.size(); partition += members.size()) {
                Message next = partitions.get(partition).poll();
                if (next != null) {
                    return next;
                }
            }
            return null;
        }

        synchronized void change(Runnable change) {
            change.run();
            notifyAll();
        }
    }

    /** One member of a group, with a thread that calls its handler. */
    static final class Subscription implements AutoCloseable {

        private static final long CLOSE_LIMIT_MS = 5000;

        private final Group group;
        private final Handler handler;
        private final Thread thread;

        /** Guarded by the group. */
        private boolean paused;

        private Subscription(Group group, Handler handler) {
            this.group = group;
            this.handler = handler;
            this.thread = CALLS.threads().daemon(this::deliver, "acme-consumer");
            group.change(() -> group.members.add(this));
            thread.start();
        }

        private void deliver() {
            try {
                Message message = group.take(this);
                while (message != null) {
                    handler.received(message.key(), message.payload(), message.partition());
                    message = group.take(this);
                }
            } catch (InterruptedException e) {
                // The subscription is closed.
            }
        }

        void pause() {
            group.change(() -> paused = true);
        }

        void resume() {
            group.change(() -> paused = false);
        }

        /** Interrupts the current call of the handler and waits for its end. */
        @Override
        public void close() {
            group.change(() -> group.members.remove(this));
            thread.interrupt();
            boolean interrupted = Thread.interrupted();
            try {
                thread.join(CLOSE_LIMIT_MS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
