package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.SendCallback;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A driver's producer whose messages are sealed with {@link PayloadChecks}. */
public final class SealingProducer implements BenchmarkProducer {

    private final BenchmarkProducer producer;
    private final CRC32C crc = new CRC32C();

    /** Wraps a producer of messages with a full header. */
    public SealingProducer(BenchmarkProducer producer) {
        this.producer = producer;
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        // A probe consists of a header only.
        if (payload.length >= PayloadChecks.END) {
            PayloadChecks.seal(payload, crc);
        }
        producer.send(key, payload, callback);
    }

    @Override
    public void close() throws DriverException {
        producer.close();
    }
}
