package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.worker.protocol.Exchange.Request;
import io.openmessaging.benchmark.worker.protocol.Exchange.WireReply;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of a {@link Worker} in another process. It is encoded once, however many workers get it.
 *
 * @param request the method
 * @param body its argument, encoded
 * @param answer type of its result; Boolean if it has none
 */
public record Call<T>(Request request, byte[] body, Class<T> answer) {

    private static <T> Call<T> of(Request request, @Nullable Object argument, Class<T> answer) {
        return new Call<>(request, Wire.write(argument), answer);
    }

    public static Call<Worker.Prepared> prepare(Worker.Prepare request) {
        return of(Request.PREPARE, request, Worker.Prepared.class);
    }

    public static Call<Worker.Probed> probe(Worker.Probe request) {
        return of(Request.PROBE, request, Worker.Probed.class);
    }

    public static Call<Long> start(Worker.Start request) {
        return of(Request.START, request, Long.class);
    }

    public static Call<Boolean> change(Worker.Change request) {
        return of(Request.CHANGE, request, Boolean.class);
    }

    public static Call<Boolean> consume(boolean delivered) {
        return of(Request.CONSUME, delivered, Boolean.class);
    }

    public static Call<Worker.Status> status(List<Offset> clocks) {
        return of(Request.STATUS, clocks.toArray(new Offset[0]), Worker.Status.class);
    }

    public static Call<Worker.Period> period(int number) {
        return of(Request.PERIOD, number, Worker.Period.class);
    }

    public static Call<Worker.Marks> stop(Worker.Stop request) {
        return of(Request.STOP, request, Worker.Marks.class);
    }

    public static Call<Boolean> endSearch(Worker.Marks marks) {
        return of(Request.END_SEARCH, marks, Boolean.class);
    }

    public static Call<AuditPart> finish() {
        return of(Request.FINISH, null, AuditPart.class);
    }

    public static Call<Boolean> close() {
        return of(Request.CLOSE, null, Boolean.class);
    }

    /**
     * Decodes the answer.
     *
     * @throws DriverException with the worker's sentence if the call has failed
     */
    public T read(WireReply reply) throws DriverException {
        if (reply.refused()) {
            throw new DriverException(new String(reply.body(), StandardCharsets.UTF_8));
        }
        return Wire.read(reply.body(), answer);
    }
}
