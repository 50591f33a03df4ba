package io.openmessaging.benchmark.worker.fake;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.worker.fake.FakeSystem.Call;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** A consumer that receives messages on the thread that sends them, and keeps them while it is paused. */
final class FakeConsumer implements BenchmarkConsumer {

    private record Waiting(@Nullable String key, byte[] payload, int partition, long timeMs) {}

    private final FakeSystem system;
    private final ConsumerSpec spec;
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private boolean paused;
    private boolean closed;

    FakeConsumer(FakeSystem system, ConsumerSpec spec) {
        this.system = system;
        this.spec = spec;
    }

    boolean reads(TopicSpec topic) {
        return spec.topic().equals(topic);
    }

    String subscription() {
        return spec.subscription();
    }

    synchronized void deliver(@Nullable String key, byte[] payload, int partition, long timeMs) {
        if (paused) {
            waiting.add(new Waiting(key, payload, partition, timeMs));
        } else if (!closed) {
            spec.listener().received(key, payload, partition, timeMs);
        }
    }

    @Override
    public void pause() throws DriverException, InterruptedException {
        system.called(Call.PAUSE);
        synchronized (this) {
            paused = true;
        }
    }

    @Override
    public void resume() throws DriverException, InterruptedException {
        system.called(Call.RESUME);
        synchronized (this) {
            paused = false;
            for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
                deliver(next.key(), next.payload(), next.partition(), next.timeMs());
            }
        }
    }

    @Override
    public void close() throws DriverException {
        system.detach(this);
        synchronized (this) {
            closed = true;
        }
        system.closing(Call.CLOSE_CONSUMER);
    }
}
