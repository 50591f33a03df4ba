package io.openmessaging.benchmark.driver.nats;

import io.nats.client.impl.Headers;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverThreads;
import io.openmessaging.benchmark.driver.Partitions;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.nats.window.SendWindow;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Publishes to the subjects of one topic; subclasses differ in how messages are answered. */
abstract class NatsProducer implements BenchmarkProducer, NatsLink.Watcher {

    /** The connection, shared with other producers. */
    final NatsLink link;

    final SendWindow window;
    private final Partitions partitions;
    private final String[] subjects;
    private final @Nullable Headers headers;
    private final NatsConfig config;
    private final Duration closeLimit;

    NatsProducer(ProducerSpec spec, String[] subjects, NatsConfig config, NatsLink link, Duration closeLimit) {
        this.link = link;
        this.config = config;
        this.closeLimit = closeLimit;
        this.window = new SendWindow(config.window());
        this.partitions = new Partitions(spec.topic().partitions(), spec.id());
        this.subjects = subjects;
        this.headers = headers(spec);
    }

    private static @Nullable Headers headers(ProducerSpec spec) {
        if (spec.headers().isEmpty()) {
            return null;
        }
        Headers headers = new Headers();
        spec.headers().forEach((name, value) -> {
            if (name.equals(KeyHeader.NAME)) {
                throw new IllegalArgumentException(
                        "a header must not be named '" + name + "', since the driver has a header of that name");
            }
            headers.put(name, value);
        });
        return headers;
    }

    @Override
    public final void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        String subject = subjects[partitions.of(key)];
        int slot = window.add(callback, System.nanoTime());
        int generation = window.generation(slot);
        try {
            publish(slot, generation, subject, headersOf(key), payload);
        } catch (RuntimeException e) {
            // The client refuses the message itself: it is too large, or its buffer has been full for too long.
            fail(slot, generation, e);
        }
    }

    private @Nullable Headers headersOf(@Nullable String key) {
        if (key == null && !needsOwnHeaders()) {
            return headers;
        }
        Headers own = headers == null ? new Headers() : new Headers(headers);
        if (key != null) {
            own.put(KeyHeader.NAME, KeyHeader.encoded(key));
        }
        return own;
    }

    /** Returns whether {@link #publish} adds headers to each message. */
    boolean needsOwnHeaders() {
        return false;
    }

    /** Passes a message to the client. */
    abstract void publish(int slot, int generation, String subject, @Nullable Headers headers, byte[] payload);

    final synchronized void acknowledge(int slot, int generation) {
        SendCallback callback = window.answered(slot, generation);
        if (callback != null) {
            callback.acknowledged();
        }
    }

    final synchronized void fail(int slot, int generation, Throwable cause) {
        SendCallback callback = window.answered(slot, generation);
        if (callback != null) {
            callback.failed(cause);
        }
    }

    private static void fail(List<SendCallback> callbacks, Throwable cause) {
        callbacks.forEach(callback -> callback.failed(cause));
    }

    /** Sends again what the system could not take yet, and fails what has waited too long; called now and then. */
    final void look(long nowNs) {
        expire(nowNs);
        sendPostponed();
    }

    /** Sends postponed messages again. */
    void sendPostponed() {
        // No message is postponed.
    }

    private synchronized void expire(long nowNs) {
        List<SendCallback> late =
                window.takeOlderThan(nowNs - config.acknowledgeTimeout().toNanos());
        if (!late.isEmpty()) {
            fail(
                    late,
                    new IOException(
                            "no answer within " + config.acknowledgeTimeout().toMillis() + " ms"));
        }
    }

    @Override
    public synchronized void lost(Throwable cause) {
        List<SendCallback> lost = window.takeAll();
        if (!lost.isEmpty()) {
            fail(lost, new IOException("the connection was lost before the answer", cause));
        }
    }

    @Override
    public final void close() {
        try {
            window.awaitNone(closeLimit.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        abort();
    }

    /** Releases the producer at once, but for a callback in progress: there is none when this returns. */
    final synchronized void abort() {
        link.unwatch(this);
        // The client would discard what an interrupted thread sends.
        DriverThreads.uninterrupted(this::release);
        fail(window.takeAll(), new IOException("the producer was closed before the answer"));
    }

    /** Releases what the subclass has opened; does not block. */
    abstract void release();
}
