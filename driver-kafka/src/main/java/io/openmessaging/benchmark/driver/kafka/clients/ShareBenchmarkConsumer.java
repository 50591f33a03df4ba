package io.openmessaging.benchmark.driver.kafka.clients;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.common.TopicIdPartition;
import org.jspecify.annotations.Nullable;

/**
 * A consumer of a share group: polls, hands messages over, and acknowledges each of them. The next poll sends the
 * acknowledgements.
 *
 * <p>Such a client holds fetched messages for a limited time, and it cannot be paused. Therefore this consumer has no
 * client during a pause: the group keeps unacknowledged messages and gives them to others, or to this consumer
 * afterwards.
 */
public final class ShareBenchmarkConsumer extends PollingConsumer implements GroupMember {

    private final ConsumerSpec spec;

    private final Supplier<ShareConsumer<String, byte[]>> clients;

    /** Null during a pause and after the end. Changed by the polling thread only. */
    private volatile @Nullable ShareConsumer<String, byte[]> client;

    private volatile @Nullable Thread thread;

    /**
     * Starts the thread, which starts to join the group.
     *
     * @param clients creates the client, and a new one after each pause
     */
    public ShareBenchmarkConsumer(
            ConsumerSpec spec, String groupId, Supplier<ShareConsumer<String, byte[]>> clients, DriverContext context) {
        super("consumer " + spec.id(), GroupMember.describe(spec), groupId, context);
        this.spec = spec;
        this.clients = clients;
        this.client = clients.get();
        start();
    }

    public ConsumerSpec spec() {
        return spec;
    }

    @Override
    void wakeup() {
        ShareConsumer<String, byte[]> current = client;
        if (current != null) {
            current.wakeup();
        }
        LockSupport.unpark(thread);
    }

    @Override
    void subscribe() {
        thread = Thread.currentThread();
        join();
    }

    private void join() {
        ShareConsumer<String, byte[]> current = client;
        if (current != null) {
            current.setAcknowledgementCommitCallback(this::acknowledged);
            current.subscribe(List.of(spec.topic().name()));
        }
    }

    @Override
    void poll() {
        ShareConsumer<String, byte[]> current = client;
        if (current == null) {
            LockSupport.parkNanos(POLL.toNanos());
        } else {
            deliver(current, current.poll(POLL));
        }
    }

    private void deliver(ShareConsumer<String, byte[]> from, ConsumerRecords<String, byte[]> records) {
        for (ConsumerRecord<String, byte[]> message : records) {
            if (isClosing()) {
                // A slow listener would keep the rest from the other consumers.
                from.acknowledge(message, AcknowledgeType.RELEASE);
            } else {
                spec.listener()
                        .received(
                                message.key(), KafkaCalls.payloadOf(message), message.partition(), message.timestamp());
                from.acknowledge(message, AcknowledgeType.ACCEPT);
            }
        }
    }

    private void acknowledged(Map<TopicIdPartition, Set<Long>> offsets, @Nullable Exception error) {
        if (error != null) {
            events().clientError("acknowledgement", error);
        }
    }

    @Override
    public void pause() throws DriverException, InterruptedException {
        ask("to pause", () -> leave(false));
    }

    @Override
    public void resume() throws DriverException, InterruptedException {
        ask("to resume", () -> {
            if (client == null) {
                client = clients.get();
                join();
            }
        });
    }

    /** Closes the client, which acknowledges delivered messages and gives back the others. */
    @Override
    void leave(boolean failed) {
        ShareConsumer<String, byte[]> current = client;
        if (current != null) {
            client = null;
            current.close(COORDINATOR_LIMIT);
        }
    }

    @Override
    void release() {
        // Done on leaving the group: this kind of client does both at once.
    }
}
