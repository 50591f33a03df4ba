package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.worker.protocol.Exchange.Request;
import io.openmessaging.benchmark.worker.protocol.Exchange.WireReply;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The coordinator's end of an {@link Exchange}: a worker in another process. */
public final class RemoteWorker implements Worker {

    private final Exchange exchange;

    public RemoteWorker(Exchange exchange) {
        this.exchange = exchange;
    }

    private <T> T ask(Request request, @Nullable Object body, Class<T> answer)
            throws DriverException, InterruptedException {
        return Wire.read(send(request, body), answer);
    }

    private byte[] send(Request request, @Nullable Object body) throws DriverException, InterruptedException {
        WireReply answer = exchange.exchange(request, Wire.write(body));
        if (answer.refused()) {
            throw new DriverException(new String(answer.body(), StandardCharsets.UTF_8));
        }
        return answer.body();
    }

    @Override
    public Prepared prepare(Prepare request) throws DriverException, InterruptedException {
        return ask(Request.PREPARE, request, Prepared.class);
    }

    @Override
    public Probed probe(Probe request) throws DriverException, InterruptedException {
        return ask(Request.PROBE, request, Probed.class);
    }

    @Override
    public long start(Start request) throws DriverException, InterruptedException {
        return ask(Request.START, request, Long.class);
    }

    @Override
    public void change(Change request) throws DriverException, InterruptedException {
        send(Request.CHANGE, request);
    }

    @Override
    public void consume(boolean delivered) throws DriverException, InterruptedException {
        send(Request.CONSUME, delivered);
    }

    @Override
    public Status status(List<Offset> clocks) throws DriverException, InterruptedException {
        return ask(Request.STATUS, clocks.toArray(new Offset[0]), Status.class);
    }

    @Override
    public Period period(int number) throws DriverException, InterruptedException {
        return ask(Request.PERIOD, number, Period.class);
    }

    @Override
    public Marks stop(Stop request) throws DriverException, InterruptedException {
        return ask(Request.STOP, request, Marks.class);
    }

    @Override
    public void endSearch(Marks marks) throws DriverException, InterruptedException {
        send(Request.END_SEARCH, marks);
    }

    @Override
    public AuditPart finish() throws DriverException, InterruptedException {
        return ask(Request.FINISH, null, AuditPart.class);
    }

    @Override
    public void close() throws DriverException {
        try {
            send(Request.CLOSE, null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
