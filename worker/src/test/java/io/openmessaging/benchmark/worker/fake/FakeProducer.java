package io.openmessaging.benchmark.worker.fake;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.worker.fake.FakeSystem.Call;
import org.jspecify.annotations.Nullable;

/** A producer that delivers and confirms each message before {@link #send} returns. */
final class FakeProducer implements BenchmarkProducer {

    private final FakeSystem system;
    private final ProducerSpec spec;

    FakeProducer(FakeSystem system, ProducerSpec spec) {
        this.system = system;
        this.spec = spec;
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        if (system.take(spec.topic(), key, payload)) {
            callback.acknowledged();
        } else {
            callback.failed(new DriverException("refused as the test has it"));
        }
    }

    @Override
    public void close() throws DriverException {
        system.closing(Call.CLOSE_PRODUCER);
    }
}
