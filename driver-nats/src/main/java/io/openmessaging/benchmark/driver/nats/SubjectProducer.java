package io.openmessaging.benchmark.driver.nats;

import static io.openmessaging.benchmark.driver.nats.NatsCalls.THREADS;

import io.nats.client.impl.Headers;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.SendCallback;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to subjects without a stream, which answer nothing. A thread sends {@code PING} while messages wait for an
 * answer: the server processes what a connection sends in order, so its {@code PONG} confirms that it has received
 * everything that was sent before.
 */
final class SubjectProducer extends NatsProducer {

    private final Duration limit;
    private final Thread confirming;

    SubjectProducer(ProducerSpec spec, NatsConfig config, NatsLink link, Duration closeLimit) {
        super(spec, Subjects.of(spec.topic()), config, link, closeLimit);
        this.limit = config.acknowledgeTimeout();
        this.confirming = THREADS.daemon(this::confirm, "nats-confirm-" + spec.id());
        confirming.start();
    }

    @Override
    void publish(int slot, int generation, String subject, @Nullable Headers headers, byte[] payload) {
        link.connection().publish(subject, null, headers, payload);
        window.handedOver(slot);
    }

    private void confirm() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                window.awaitSome();
                long before = window.handedOver();
                try {
                    link.flush(Deadline.in(limit));
                    answer(before, SendCallback::acknowledged);
                } catch (TimeoutException | RuntimeException e) {
                    IOException reason = new IOException("the server did not confirm that it has the message", e);
                    answer(before, callback -> callback.failed(reason));
                }
            }
        } catch (InterruptedException e) {
            // The producer is closed.
        }
    }

    private synchronized void answer(long handedOver, Consumer<SendCallback> answer) {
        window.takeHandedOver(handedOver).forEach(answer);
    }

    @Override
    void release() {
        confirming.interrupt();
    }
}
