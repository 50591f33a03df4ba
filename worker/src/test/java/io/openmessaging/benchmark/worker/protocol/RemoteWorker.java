package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.List;

/** A worker at the other end of an {@link Exchange}, for tests that call it directly. */
public final class RemoteWorker implements Worker {

    private final Exchange exchange;

    public RemoteWorker(Exchange exchange) {
        this.exchange = exchange;
    }

    private <T> T ask(Call<T> call) throws DriverException, InterruptedException {
        return call.read(exchange.exchange(call.request(), call.body()));
    }

    @Override
    public Prepared prepare(Prepare request) throws DriverException, InterruptedException {
        return ask(Call.prepare(request));
    }

    @Override
    public Probed probe(Probe request) throws DriverException, InterruptedException {
        return ask(Call.probe(request));
    }

    @Override
    public long start(Start request) throws DriverException, InterruptedException {
        return ask(Call.start(request));
    }

    @Override
    public void change(Change request) throws DriverException, InterruptedException {
        ask(Call.change(request));
    }

    @Override
    public void consume(boolean delivered) throws DriverException, InterruptedException {
        ask(Call.consume(delivered));
    }

    @Override
    public Status status(List<Offset> clocks) throws DriverException, InterruptedException {
        return ask(Call.status(clocks));
    }

    @Override
    public Period period(int number) throws DriverException, InterruptedException {
        return ask(Call.period(number));
    }

    @Override
    public Marks stop(Stop request) throws DriverException, InterruptedException {
        return ask(Call.stop(request));
    }

    @Override
    public void endSearch(Marks marks) throws DriverException, InterruptedException {
        ask(Call.endSearch(marks));
    }

    @Override
    public AuditPart finish() throws DriverException, InterruptedException {
        return ask(Call.finish());
    }

    @Override
    public void close() throws DriverException {
        try {
            ask(Call.close());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
