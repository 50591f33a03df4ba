package io.openmessaging.benchmark.driver.kafka.clients;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** One of several consumers that share a client. */
public final class SharedMember implements GroupMember {

    private final ConsumerSpec spec;
    private final String topicName;
    private final SharedConsumer client;

    private volatile boolean paused;
    private volatile boolean closed;

    /**
     * Creates a consumer that has yet to be added to its client.
     *
     * @param topicName Kafka's name of the topic
     */
    public SharedMember(ConsumerSpec spec, String topicName, SharedConsumer client) {
        this.spec = spec;
        this.topicName = topicName;
        this.client = client;
    }

    /** The client that reads for this consumer. */
    public SharedConsumer client() {
        return client;
    }

    String topicName() {
        return topicName;
    }

    int partitions() {
        return spec.topic().partitions();
    }

    boolean isPaused() {
        return paused;
    }

    /**
     * Hands over messages of one partition until it is closed; returns their number. The lock is for {@link #close()}.
     */
    synchronized int deliver(List<ConsumerRecord<String, byte[]>> messages) {
        int taken = 0;
        for (ConsumerRecord<String, byte[]> message : messages) {
            if (closed) {
                break;
            }
            spec.listener()
                    .received(message.key(), KafkaCalls.payloadOf(message), message.partition(), message.timestamp());
            taken++;
        }
        return taken;
    }

    /** The client stops fetching before its next poll. */
    @Override
    public void pause() throws DriverException {
        paused = true;
        client.noteChange();
    }

    @Override
    public void resume() throws DriverException {
        paused = false;
        client.noteChange();
    }

    @Override
    public void end() {
        closed = true;
        client.remove(this);
    }

    /** Leaves the other consumers of the client running. */
    @Override
    public void close() throws DriverException {
        end();
        synchronized (this) {
            // Wait until the last call of the listener has returned.
        }
        client.awaitEnd();
    }
}
