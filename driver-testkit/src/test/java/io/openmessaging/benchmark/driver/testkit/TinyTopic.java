package io.openmessaging.benchmark.driver.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A topic of a {@link TinyDriver}'s system, and the map of all topics. */
final class TinyTopic {

    /** All topics, by the place where they are visible and their name. */
    static final Map<String, TinyTopic> TOPICS = new ConcurrentHashMap<>();

    /** A message in transit. */
    record Message(@Nullable String key, byte[] payload, int partition) {}

    final int partitions;
    private final Defect defect;
    private final Map<String, List<TinyConsumer>> subscriptions = new LinkedHashMap<>();
    private final List<Message> log = new ArrayList<>();
    private boolean wasReadAnew;
    private int nextPartition;
    private @Nullable Message heldBack;

    TinyTopic(int partitions, Defect defect) {
        this.partitions = partitions;
        this.defect = defect;
    }

    synchronized void attach(String subscription, TinyConsumer consumer) {
        subscriptions.computeIfAbsent(subscription, s -> new ArrayList<>()).add(consumer);
    }

    /** Attaches a consumer of a subscription; the first one of a subscription starts with the oldest message. */
    synchronized void attachReader(String subscription, TinyConsumer reader) {
        if (defect == Defect.READERS_TAKE_MESSAGES_FROM_OTHERS) {
            subscriptions.values().forEach(consumers -> consumers.forEach(TinyConsumer::drop));
        }
        boolean atEnd =
                defect == Defect.READERS_BEGIN_AT_THE_END || defect == Defect.READERS_SHARE_A_POSITION && wasReadAnew;
        wasReadAnew = true;
        if (!atEnd && !subscriptions.containsKey(subscription)) {
            log.forEach(reader::queue);
        }
        attach(subscription, reader);
    }

    synchronized void detach(TinyConsumer consumer) {
        subscriptions.values().forEach(consumers -> consumers.remove(consumer));
        subscriptions.values().removeIf(List::isEmpty);
    }

    synchronized void publish(@Nullable String key, byte[] payload) {
        Message message = new Message(arrivingKey(key), arrivingPayload(payload), partitionOf(key));
        if (defect == Defect.ORDER_IS_LOST && heldBack == null) {
            heldBack = message;
            return;
        }
        deliver(message);
        if (defect == Defect.MESSAGES_ARE_DUPLICATED) {
            deliver(message);
        }
        if (heldBack != null) {
            deliver(heldBack);
            heldBack = null;
        }
    }

    private @Nullable String arrivingKey(@Nullable String key) {
        return switch (defect) {
            case KEYS_ARE_DROPPED -> null;
            case NULL_KEYS_BECOME_EMPTY -> key == null ? "" : key;
            default -> key;
        };
    }

    private byte[] arrivingPayload(byte[] payload) {
        byte[] arriving = defect == Defect.ARRAYS_ARE_READ_AFTER_SEND ? payload : payload.clone();
        if (defect == Defect.PAYLOADS_ARE_CHANGED && payload.length > 4) {
            arriving[4] ^= 1;
        }
        return defect == Defect.PAYLOADS_ARE_CUT ? Arrays.copyOf(payload, payload.length / 2) : arriving;
    }

    private int partitionOf(@Nullable String key) {
        if (defect == Defect.ONE_PARTITION_GETS_EVERYTHING) {
            return 0;
        }
        int choice = key == null || defect == Defect.KEYS_DECIDE_NOTHING ? nextPartition++ : key.hashCode();
        int partition = Math.floorMod(choice, partitions);
        return defect == Defect.PARTITIONS_COUNT_FROM_ONE ? partition + 1 : partition;
    }

    private void deliver(Message message) {
        log.add(message);
        for (List<TinyConsumer> consumers : subscriptions.values()) {
            switch (defect) {
                case SHARING_CONSUMERS_GET_COPIES -> consumers.forEach(c -> c.queue(message));
                case ONE_CONSUMER_GETS_EVERYTHING -> consumers.get(0).queue(message);
                default -> consumers.get(message.partition() % consumers.size()).queue(message);
            }
            if (defect == Defect.ONLY_ONE_SUBSCRIPTION_IS_SERVED) {
                return;
            }
        }
    }
}
