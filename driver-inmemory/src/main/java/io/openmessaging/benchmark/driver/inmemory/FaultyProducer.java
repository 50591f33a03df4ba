package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.SendCallback;
import org.jspecify.annotations.Nullable;

/** Lets sends fail. */
final class FaultyProducer implements BenchmarkProducer {

    private final BenchmarkProducer next;
    private final SendFaults faults;
    private final DriverEvents events;

    /** In front of a producer that works, with the count that all producers of the topic share. */
    FaultyProducer(BenchmarkProducer next, SendFaults faults, DriverEvents events) {
        this.next = next;
        this.faults = faults;
        this.events = events;
    }

    @Override
    public void send(@Nullable String key, byte[] payload, SendCallback callback) throws InterruptedException {
        SendFaults.Outcome outcome = faults.next(payload);
        if (outcome.isFatal()) {
            events.fatal(new DriverException("Fatal error asked for by faults.fatalAfter, message " + outcome.index()));
        }
        if (outcome.fails()) {
            callback.failed(new DriverException("Send failure asked for by faults, message " + outcome.index()));
        } else {
            next.send(key, payload, callback);
        }
    }

    @Override
    public void close() throws DriverException {
        next.close();
    }
}
