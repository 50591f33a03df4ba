package io.openmessaging.benchmark.driver.rabbitmq.queue;

import static io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqCalls.CALLS;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DeliveryThread;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A consumer of one or several queues, with a channel to each node from which its queues are read. */
final class QueueBenchmarkConsumer implements BenchmarkConsumer {

    private final String description;
    private final MessageListener listener;
    private final @Nullable DeliveryThread ownThread;
    private final Duration limit;
    private final List<QueueReader> readers = new ArrayList<>();

    /**
     * Starts without readers.
     *
     * @param channels number of channels that it will have
     * @param limit the limit for control calls
     */
    QueueBenchmarkConsumer(ConsumerSpec spec, int channels, Duration limit) {
        this.description = "consumer " + spec.id() + " of topic '"
                + spec.topic().name() + "', subscription '" + spec.subscription() + "'";
        this.ownThread = DeliveryThread.of(spec, RabbitMqCalls.THREADS);
        this.listener =
                channels > 1 && ownThread == null ? MessageListener.oneAtATime(spec.listener()) : spec.listener();
        this.limit = limit;
    }

    /** Destination of messages. */
    QueueReader.Delivery delivery() {
        return new QueueReader.Delivery(description, listener, ownThread);
    }

    /** Adds a reader, which is paused and closed with the consumer. */
    void add(QueueReader reader) {
        readers.add(reader);
    }

    @Override
    public void pause() throws DriverException, InterruptedException {
        CALLS.run("pause " + description, Deadline.in(limit), () -> setPaused(true));
    }

    @Override
    public void resume() throws DriverException, InterruptedException {
        CALLS.run("resume " + description, Deadline.in(limit), () -> setPaused(false));
    }

    private void setPaused(boolean paused) throws IOException {
        for (QueueReader reader : readers) {
            reader.setPaused(paused);
        }
    }

    @Override
    public void close() {
        readers.forEach(QueueReader::end);
        if (ownThread != null) {
            ownThread.close();
        }
        readers.forEach(QueueReader::close);
    }
}
