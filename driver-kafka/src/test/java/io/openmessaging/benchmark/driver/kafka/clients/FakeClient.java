package io.openmessaging.benchmark.driver.kafka.clients;

import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Kafka's own mock of a consumer, which in addition waits a little in each poll, and can fail polls and delay answers
 * to commits on request.
 */
final class FakeClient extends MockConsumer<String, byte[]> {

    static final String TOPIC = "topic";

    private final List<OffsetCommitCallback> unansweredCommits = new ArrayList<>();
    private volatile @Nullable KafkaException everyPoll;
    private volatile boolean commitsAreAnswered = true;
    private final Map<TopicPartition, Long> nextOffsets = new HashMap<>();

    FakeClient() {
        super("earliest");
    }

    static TopicPartition partition(int partition) {
        return new TopicPartition(TOPIC, partition);
    }

    /** Makes each poll throw this from now on; null ends that. */
    void failEveryPollWith(@Nullable KafkaException error) {
        everyPoll = error;
    }

    void leaveCommitsUnanswered() {
        commitsAreAnswered = false;
    }

    /** Makes the group assign these partitions of the usual topic in the next poll. */
    void assignOnPoll(Integer... partitions) {
        assignOnPoll(Arrays.stream(partitions).map(FakeClient::partition).toArray(TopicPartition[]::new));
    }

    /** Makes the group assign these partitions in the next poll. */
    void assignOnPoll(TopicPartition... partitions) {
        schedulePollTask(() -> {
            Map<TopicPartition, Long> beginnings = new HashMap<>();
            Arrays.stream(partitions).forEach(p -> beginnings.put(p, 0L));
            updateBeginningOffsets(beginnings);
            rebalance(beginnings.keySet());
        });
    }

    /** Makes a message of the usual topic arrive in the next poll. */
    void addOnPoll(int partition, byte[] payload) {
        addOnPoll(partition(partition), payload);
    }

    /** Makes a message of any topic arrive in the next poll. */
    void addOnPoll(TopicPartition partition, byte[] payload) {
        schedulePollTask(() -> {
            long offset = nextOffsets.merge(partition, 1L, Long::sum) - 1;
            addRecord(new ConsumerRecord<>(partition.topic(), partition.partition(), offset, null, payload));
        });
    }

    /** Waits until everything requested earlier with {@code …OnPoll} has happened. */
    void awaitPolled() throws InterruptedException {
        CountDownLatch polled = new CountDownLatch(1);
        schedulePollTask(polled::countDown);
        Patience.await("the consumer to poll", polled);
    }

    @Override
    public ConsumerRecords<String, byte[]> poll(Duration timeout) {
        LockSupport.parkNanos(200_000);
        KafkaException error = everyPoll;
        if (error != null) {
            throw error;
        }
        return super.poll(timeout);
    }

    @Override
    public synchronized void commitAsync(OffsetCommitCallback callback) {
        if (commitsAreAnswered) {
            super.commitAsync(callback);
        } else {
            unansweredCommits.add(callback);
        }
    }

    synchronized int unansweredCommits() {
        return unansweredCommits.size();
    }

    /** Makes the answer to the oldest commit arrive in the next poll. */
    void answerCommitOnPoll(@Nullable Exception error) {
        schedulePollTask(() -> unansweredCommits.remove(0).onComplete(Map.of(), error));
    }
}
