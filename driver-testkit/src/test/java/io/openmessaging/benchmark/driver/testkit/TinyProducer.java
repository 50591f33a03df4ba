package io.openmessaging.benchmark.driver.testkit;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.SendCallback;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A producer that calls back on its own thread and refuses messages above a limit. */
final class TinyProducer implements BenchmarkProducer {

    static final int MAX_PAYLOAD_BYTES = 1 << 20;

    private final TinyTopic topic;
    private final boolean replacesKeys;
    private final Defect defect;
    private final Set<SendCallback> pending = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread created = new Thread(task, "tiny-acks");
        created.setDaemon(true);
        return created;
    });

    TinyProducer(TinyTopic topic, Map<String, String> headers, Defect defect) {
        this.topic = topic;
        this.replacesKeys = !headers.isEmpty() && defect == Defect.HEADERS_REPLACE_THE_KEY;
        this.defect = defect;
        if (defect == Defect.CALLBACKS_COME_AFTER_CLOSE) {
            thread.execute(this::awaitClosed);
        }
    }

    private void awaitClosed() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) {
        boolean refused = payload.length > MAX_PAYLOAD_BYTES;
        if (refused && defect == Defect.REFUSED_SENDS_THROW) {
            throw new IllegalArgumentException("too large");
        }
        if (!refused) {
            topic.publish(replacesKeys ? null : key, payload);
        }
        pending.add(callback);
        boolean failed = refused && defect != Defect.REFUSED_SENDS_ARE_ACKNOWLEDGED;
        thread.execute(() -> answer(callback, failed));
        if (defect == Defect.CALLBACKS_COME_TWICE) {
            thread.execute(() -> {
                pending.add(callback);
                answer(callback, failed);
            });
        }
    }

    private void answer(SendCallback callback, boolean failed) {
        if (pending.remove(callback)) {
            if (failed) {
                callback.failed(new DriverException("A message of more than " + MAX_PAYLOAD_BYTES + " bytes."));
            } else {
                callback.acknowledged();
            }
        }
    }

    @Override
    public void close() {
        TinyDriver.endSlowlyIf(defect == Defect.CLOSE_IS_SLOW);
        Future<?> answers = thread.submit(() -> {});
        thread.shutdown();
        if (defect == Defect.CALLBACKS_COME_AFTER_CLOSE) {
            // The session may count the calls before the thread makes them.
            return;
        }
        try {
            answers.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            if (defect != Defect.CLOSE_CLEARS_THE_INTERRUPT_STATUS) {
                Thread.currentThread().interrupt();
            }
        }
        pending.forEach(callback -> answer(callback, true));
    }
}
