package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.SendCallback;
import org.jspecify.annotations.Nullable;

/** A driver's producer whose unconfirmed messages are counted. It does not wait: {@link WindowSchedule} does. */
final class WindowedProducer implements BenchmarkProducer {

    private final BenchmarkProducer producer;
    private final InFlightWindow window;

    WindowedProducer(BenchmarkProducer producer, InFlightWindow window) {
        this.producer = producer;
        this.window = window;
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        window.sent();
        try {
            producer.send(key, payload, new Counted(callback));
        } catch (Throwable e) {
            // By the driver's contract there will be no callback.
            window.completed();
            throw e;
        }
    }

    @Override
    public void close() throws DriverException {
        producer.close();
    }

    private final class Counted implements SendCallback {

        private final SendCallback callback;

        Counted(SendCallback callback) {
            this.callback = callback;
        }

        @Override
        public void acknowledged() {
            window.completed();
            callback.acknowledged();
        }

        @Override
        public void failed(Throwable cause) {
            window.completed();
            callback.failed(cause);
        }
    }
}
