package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.SendCallback;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Makes sends fail. */
final class FaultyProducer implements BenchmarkProducer {

    private final BenchmarkProducer next;
    private final Faults faults;
    private final Picks fail;
    private final AtomicLong nextIndex;
    private final DriverEvents events;

    /**
     * Wraps a producer that works.
     *
     * @param nextIndex the count that all producers of the topic share
     */
    FaultyProducer(BenchmarkProducer next, Faults faults, AtomicLong nextIndex, DriverEvents events) {
        this.next = next;
        this.faults = faults;
        this.fail = new Picks(faults.failEvery(), faults.fail());
        this.nextIndex = nextIndex;
        this.events = events;
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        if (!faults.count(payload)) {
            next.send(key, payload, callback);
            return;
        }
        long index = nextIndex.getAndIncrement();
        if (index + 1 == faults.fatalAfter()) {
            events.fatal(new DriverException("Fatal error requested by faults.fatalAfter, message " + index));
        }
        boolean late = faults.failAfter() > 0 && index >= faults.failAfter();
        if (late || fail.contain(index)) {
            callback.failed(new DriverException("Send failure requested by faults, message " + index));
        } else {
            next.send(key, payload, callback);
        }
    }

    @Override
    public void close() throws DriverException {
        next.close();
    }
}
