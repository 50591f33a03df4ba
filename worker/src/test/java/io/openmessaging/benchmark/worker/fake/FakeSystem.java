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

/**
 * The system behind {@link FakeDriver}: topics, the consumers attached to them, and faults. Thread-safe once set up.
 */
public final class FakeSystem {

    /** Size of the harness's probes, bytes; a test that counts messages gives its own another size. */
    public static final int PROBE_BYTES = 32;

    /** The calls of a driver. */
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

    /** A fault that replaces a call, or precedes the call if it returns. */
    @FunctionalInterface
    public interface Fault {
        void strike() throws DriverException, InterruptedException;
    }

    /** A fault before a message is sent. */
    @FunctionalInterface
    public interface SendFault {
        /** Receives the message's number, counted from 0 without probes, or -1 for a probe. */
        void strike(long number) throws InterruptedException;
    }

    /**
     * A message on its way to one subscription.
     *
     * @param number number in the order of sending, from 0, without probes; -1 for a probe
     * @param partition partition of the topic
     * @param subscription name of the subscription
     */
    public record Copy(long number, int partition, String subscription) {

        /** Returns whether this is a probe, not a message of the load. */
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

    /** Injects a fault into a call from now on. */
    public void on(Call call, Fault fault) {
        faults.put(call, fault);
    }

    /** Injects a fault before each message is sent, from now on. */
    public void onSend(SendFault fault) {
        sendFault = fault;
    }

    /** Sets how often each copy is delivered from now on; once by default. */
    public void deliver(ToIntFunction<Copy> times) {
        deliveries = times;
    }

    /** Changes the last byte of these copies on delivery, from now on. */
    public void damage(Predicate<Copy> copies) {
        damaged = copies;
    }

    /** Neither confirms nor delivers these messages from now on. */
    public void refuse(LongPredicate numbers) {
        refused = numbers;
    }

    /**
     * Keeps these messages for readers from now on, and probes if -1 is accepted. Without this call, nothing is kept.
     */
    public void keep(LongPredicate numbers) {
        keptNumbers = numbers;
    }

    /** Adds an existing topic with messages from elsewhere, each a millisecond later than the one before it. */
    public void leave(TopicSpec existing, long firstMs, List<byte[]> payloads) {
        keptNumbers = number -> true;
        topics.put(existing.name(), existing);
        this.existing.add(existing.name());
        long timeMs = firstMs;
        for (byte[] payload : payloads) {
            kept.add(new Kept(existing, null, payload, 0, timeMs++));
        }
    }

    /** Deletes a topic, as its owner elsewhere might. */
    public void vanish(String topic) {
        topics.remove(topic);
    }

    List<String> existing() {
        return List.copyOf(existing);
    }

    /** Sets the payload ownership that producers report from now on. */
    public void setOwnership(PayloadOwnership ownership) {
        this.ownership = ownership;
    }

    /** Returns the calls of the driver so far. */
    public List<Call> calls() {
        return List.copyOf(calls);
    }

    /** Returns how often this call was made. */
    public long count(Call call) {
        return calls.stream().filter(call::equals).count();
    }

    /** Returns the names of the current topics. */
    public List<String> topics() {
        return List.copyOf(topics.keySet());
    }

    /** Returns the number of messages of the load that were sent, including refused ones. */
    public long sent() {
        return nextNumber.get();
    }

    /** Returns the receiver of the client's errors outside of calls. */
    public DriverEvents events() {
        DriverEvents connected = events;
        if (connected == null) {
            throw new IllegalStateException("nobody is connected");
        }
        return connected;
    }

    /** Returns the context class loader of the thread that connected. */
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

    /** Records a call and applies its fault. */
    void called(Call call) throws DriverException, InterruptedException {
        calls.add(call);
        Fault fault = faults.get(call);
        if (fault != null) {
            fault.strike();
        }
    }

    /** Records a call that closes something, which must not throw {@link InterruptedException}. */
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

    /** Delivers the kept messages of a reader's topics to it. */
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
        // A snapshot: exactly one of the consumers that share a subscription gets a copy, even while another is
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

    /**
     * Returns the consumer that has the partition, as a subscription's consumers share them; null if there is none.
     */
    private static @Nullable FakeConsumer reader(
            List<FakeConsumer> attached, TopicSpec topic, String subscription, int partition) {
        List<FakeConsumer> group = attached.stream()
                .filter(consumer ->
                        consumer.reads(topic) && consumer.subscription().equals(subscription))
                .toList();
        return group.isEmpty() ? null : group.get(partition % group.size());
    }
}
