package io.openmessaging.benchmark.driver.kafka.clients;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** One of the consumers that share a client. */
public final class SharedMember implements GroupMember {

    private final ConsumerSpec spec;
    private final String topicName;
    private final SharedConsumer client;

    private volatile boolean paused;
    private volatile boolean closed;

    /**
     * A consumer that is still to be added to its client.
     *
     * @param topicName what Kafka calls the topic
     */
    public SharedMember(ConsumerSpec spec, String topicName, SharedConsumer client) {
        this.spec = spec;
        this.topicName = topicName;
        this.client = client;
    }

    /** What reads for it. */
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

    /** Hands messages of one partition over until it is closed; returns how many. The lock is for {@link #close()}. */
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

    /** The others of the client continue. */
    @Override
    public void close() throws DriverException {
        end();
        synchronized (this) {
            // The last call of the listener has returned.
        }
        client.awaitEnd();
    }
}
