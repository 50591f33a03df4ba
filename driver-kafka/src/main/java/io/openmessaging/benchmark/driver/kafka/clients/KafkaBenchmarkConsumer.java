package io.openmessaging.benchmark.driver.kafka.clients;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/** A consumer of a consumer group with a client of its own. */
public final class KafkaBenchmarkConsumer extends GroupConsumer implements GroupMember {

    private final ConsumerSpec spec;
    private final String topicName;

    /** Used by the polling thread. */
    private boolean paused;

    /**
     * Takes ownership of the client and starts the thread, which starts to join the group.
     *
     * @param topicName Kafka's name of the topic
     * @param groupId group that the client is configured for
     * @param commits true to commit offsets here; the client then does not commit by itself
     */
    public KafkaBenchmarkConsumer(
            ConsumerSpec spec,
            String topicName,
            String groupId,
            Consumer<String, byte[]> client,
            boolean commits,
            DriverContext context) {
        super("consumer " + spec.id(), GroupMember.describe(spec), groupId, client, commits, context);
        this.spec = spec;
        this.topicName = topicName;
        start();
    }

    @Override
    public Map<String, Integer> partitionsByTopic() {
        return Map.of(topicName, spec.topic().partitions());
    }

    @Override
    void subscribe() {
        client().subscribe(List.of(topicName), this);
    }

    @Override
    public void pause() throws DriverException, InterruptedException {
        ask("to pause", () -> {
            client().pause(client().assignment());
            paused = true;
        });
    }

    @Override
    public void resume() throws DriverException, InterruptedException {
        ask("to resume", () -> {
            client().resume(client().assignment());
            paused = false;
        });
    }

    @Override
    void assigned(Collection<TopicPartition> partitions) {
        if (paused) {
            client().pause(partitions);
        }
    }

    @Override
    void deliver(ConsumerRecords<String, byte[]> records) {
        Set<TopicPartition> givenBack = new HashSet<>();
        for (ConsumerRecord<String, byte[]> message : records) {
            if (isClosing()) {
                // A slow listener would keep the group waiting. The next reader starts at the first message that is
                // left.
                TopicPartition partition = new TopicPartition(message.topic(), message.partition());
                if (givenBack.add(partition)) {
                    client().seek(partition, message.offset());
                }
                continue;
            }
            spec.listener()
                    .received(message.key(), KafkaCalls.payloadOf(message), message.partition(), message.timestamp());
            noteDelivered();
        }
    }
}
