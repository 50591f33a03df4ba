package io.openmessaging.benchmark.worker.fake;

import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The system behind {@link FakeDriver}: topics, the consumers attached to them, and what is to go wrong. Thread-safe once set up. */
public final class FakeSystem {

    /** Probes of the harness have this size; a test that counts messages gives its own another one. */
    public static final int PROBE_BYTES = 32;

    /** What a driver can be asked to do. */
    public enum Call {
        CONNECT,
        DESCRIBE,
        CREATE_TOPICS,
        CREATE_CONSUMERS,
        CREATE_PRODUCERS,
        CREATE_READERS,
        PAUSE,
        RESUME,
        CLOSE_PRODUCER,
        CLOSE_CONSUMER,
        DELETE_TOPICS,
        CLOSE
    }

    /** Happens instead of a call, or before it if it returns. */
    @FunctionalInterface
    public interface Fault {
        void strike() throws DriverException, InterruptedException;
    }

    /** Happens before a message is sent. */
    @FunctionalInterface
    public interface SendFault {
        /** Gets the message's number, counted from 0 without probes, or -1 for a probe. */
        void strike(long number) throws InterruptedException;
    }

    /**
     * A message on its way to one subscription.
     *
     * @param number counted from 0 in the order of sending, without probes; -1 for a probe
     * @param partition of the topic
     * @param subscription its name
     */
    public record Copy(long number, int partition, String subscription) {

        /** Whether it is no message of the load. */
        public boolean isProbe() {
            return number < 0;
        }
    }

    private record Kept(TopicSpec topic, @Nullable String key, byte[] payload, int partition, long timeMs) {}

    private final Map<Call, Fault> faults = new EnumMap<>(Call.class);
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final Map<String, TopicSpec> topics = new ConcurrentHashMap<>();
    private final List<String> existing = new CopyOnWriteArrayList<>();
    private final List<FakeConsumer> consumers = new CopyOnWriteArrayList<>();
    private final AtomicLong nextNumber = new AtomicLong();
    private volatile SendFault sendFault = number -> {};
    private volatile ToIntFunction<Copy> deliveries = copy -> 1;
    private volatile Predicate<Copy> damaged = copy -> false;
    private volatile LongPredicate refused = number -> false;
    private volatile @Nullable LongPredicate keptNumbers;
    private final List<Kept> kept = new CopyOnWriteArrayList<>();
    private volatile PayloadOwnership ownership = PayloadOwnership.COPIED_ON_SEND;
    private volatile @Nullable DriverEvents events;
    private volatile @Nullable ClassLoader contextOnConnect;

    /** From now on, something happens in a call. */
    public void on(Call call, Fault fault) {
        faults.put(call, fault);
    }

    /** From now on, something happens before a message is sent. */
    public void onSend(SendFault fault) {
        sendFault = fault;
    }

    /** From now on, each copy is delivered as often as this says, once by default. */
    public void deliver(ToIntFunction<Copy> times) {
        deliveries = times;
    }

    /** From now on, the last byte of these copies is another when they are delivered. */
    public void damage(Predicate<Copy> copies) {
        damaged = copies;
    }

    /** From now on, these messages are neither confirmed nor delivered. */
    public void refuse(LongPredicate numbers) {
        refused = numbers;
    }

    /** From now on, these messages are kept for readers, probes too if this says so of -1; without, nothing is. */
    public void keep(LongPredicate numbers) {
        keptNumbers = numbers;
    }

    /** Others have sent these messages to a topic of theirs, each a millisecond later than the one before it. */
    public void leave(TopicSpec existing, long firstMs, List<byte[]> payloads) {
        keptNumbers = number -> true;
        topics.put(existing.name(), existing);
        this.existing.add(existing.name());
        long timeMs = firstMs;
        for (byte[] payload : payloads) {
            kept.add(new Kept(existing, null, payload, 0, timeMs++));
        }
    }

    /** Others have deleted their topic. */
    public void vanish(String topic) {
        topics.remove(topic);
    }

    List<String> existing() {
        return List.copyOf(existing);
    }

    /** From now on, producers tell this of what they do with a payload. */
    public void setOwnership(PayloadOwnership ownership) {
        this.ownership = ownership;
    }

    /** What the driver was asked to do so far. */
    public List<Call> calls() {
        return List.copyOf(calls);
    }

    /** How often the driver was asked to do that. */
    public long count(Call call) {
        return calls.stream().filter(call::equals).count();
    }

    /** The topics that there are. */
    public List<String> topics() {
        return List.copyOf(topics.keySet());
    }

    /** How many messages of the load were sent, refused ones included. */
    public long sent() {
        return nextNumber.get();
    }

    /** Where the client reports what goes wrong outside of a call. */
    public DriverEvents events() {
        DriverEvents connected = events;
        if (connected == null) {
            throw new IllegalStateException("nobody is connected");
        }
        return connected;
    }

    /** The context class loader of the thread that connected. */
    public @Nullable ClassLoader contextOnConnect() {
        return contextOnConnect;
    }

    void connected(DriverEvents driverEvents) {
        events = driverEvents;
        contextOnConnect = Thread.currentThread().getContextClassLoader();
    }

    PayloadOwnership ownership() {
        return ownership;
    }

    /** Notes a call, and does what is to go wrong with it. */
    void called(Call call) throws DriverException, InterruptedException {
        calls.add(call);
        Fault fault = faults.get(call);
        if (fault != null) {
            fault.strike();
        }
    }

    /** A call that must not throw {@link InterruptedException}: closing. */
    void closing(Call call) throws DriverException {
        try {
            called(call);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void create(TopicSpec topic) throws DriverException {
        if (topic.existing()) {
            if (!topics.containsKey(topic.name())) {
                throw new DriverException("there is no topic " + topic.name());
            }
            return;
        }
        if (topics.putIfAbsent(topic.name(), topic) != null) {
            throw new DriverException("topic " + topic.name() + " exists already");
        }
    }

    void delete(TopicSpec topic) {
        if (!topic.existing()) {
            topics.remove(topic.name());
        }
    }

    void attach(FakeConsumer consumer) {
        consumers.add(consumer);
    }

    boolean keeps() {
        return keptNumbers != null;
    }

    /** Hands everything to a reader that was kept. */
    void replay(FakeConsumer reader) {
        kept.stream()
                .filter(message -> reader.reads(message.topic()))
                .forEach(message -> reader.deliver(
                        message.key(), message.payload().clone(), message.partition(), message.timeMs()));
    }

    void detach(FakeConsumer consumer) {
        consumers.remove(consumer);
    }

    /** Takes a message and delivers it; returns whether it was accepted. */
    boolean take(TopicSpec topic, @Nullable String key, byte[] payload) throws InterruptedException {
        long number = payload.length == PROBE_BYTES ? -1 : nextNumber.getAndIncrement();
        sendFault.strike(number);
        if (number >= 0 && refused.test(number)) {
            return false;
        }
        int partition = key == null ? (int) (Math.max(0, number) % topic.partitions()) : partition(key, topic);
        LongPredicate toKeep = keptNumbers;
        if (toKeep != null && toKeep.test(number)) {
            kept.add(new Kept(topic, key, payload.clone(), partition, MessageListener.NO_TIME));
        }
        // Those of one moment: of two that share a subscription exactly one gets a copy, also while another is
        // attached.
        List<FakeConsumer> attached = List.copyOf(consumers);
        List<String> served = new ArrayList<>();
        for (FakeConsumer consumer : attached) {
            boolean first = consumer.reads(topic) && !served.contains(consumer.subscription());
            if (first && reader(attached, topic, consumer.subscription(), partition) == consumer) {
                served.add(consumer.subscription());
                Copy copy = new Copy(number, partition, consumer.subscription());
                byte[] delivered = payload.clone();
                if (damaged.test(copy)) {
                    delivered[delivered.length - 1] ^= 1;
                }
                for (int i = deliveries.applyAsInt(copy); i > 0; i--) {
                    consumer.deliver(key, delivered.clone(), partition, MessageListener.NO_TIME);
                }
            }
        }
        return true;
    }

    private static int partition(String key, TopicSpec topic) {
        return Math.floorMod(key.hashCode(), topic.partitions());
    }

    /** The consumers of a subscription share the partitions. */
    private static @Nullable FakeConsumer reader(
            List<FakeConsumer> attached, TopicSpec topic, String subscription, int partition) {
        List<FakeConsumer> group = attached.stream()
                .filter(consumer ->
                        consumer.reads(topic) && consumer.subscription().equals(subscription))
                .toList();
        return group.isEmpty() ? null : group.get(partition % group.size());
    }
}
