package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The worker's end of an {@link Exchange}: decodes the arguments of each {@link Call} and encodes its result. */
public final class WorkerEndpoint implements Exchange {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerEndpoint.class);
    /** The answer of a method without a result. */
    private static final byte[] DONE = Wire.write(true);

    /** Creates the worker, then only returns it: what a worker is created from may keep a run before alive. */
    private Supplier<Worker> source;

    private volatile @Nullable String openRun;

    /** @param source creates the worker when the first request arrives */
    public WorkerEndpoint(Supplier<Worker> source) {
        this.source = source;
    }

    /**
     * Returns the id of a run that was prepared and not closed. A coordinator deletes what the run has created in the
     * system before it closes the run.
     */
    public Optional<String> openRun() {
        return Optional.ofNullable(openRun);
    }

    private synchronized Worker worker() {
        Worker worker = source.get();
        source = () -> worker;
        return worker;
    }

    @Override
    public WireReply exchange(Request request, byte[] body) throws InterruptedException {
        try {
            return new WireReply(false, answer(request, body));
        } catch (DriverException e) {
            return WireReply.failed(e.getMessage() == null ? e.toString() : e.getMessage());
        } catch (RuntimeException | Error e) {
            LOG.error("{} failed", request, e);
            return WireReply.failed("unexpected error: " + e);
        }
    }

    private byte[] answer(Request request, byte[] body) throws DriverException, InterruptedException {
        Worker worker = worker();
        switch (request) {
            case PREPARE:
                Worker.Prepare asked = Wire.read(body, Worker.Prepare.class);
                openRun = asked.run().runId();
                return Wire.write(worker.prepare(asked));
            case PROBE:
                return Wire.write(worker.probe(Wire.read(body, Worker.Probe.class)));
            case START:
                return Wire.write(worker.start(Wire.read(body, Worker.Start.class)));
            case CHANGE:
                worker.change(Wire.read(body, Worker.Change.class));
                return DONE;
            case CONSUME:
                worker.consume(Wire.read(body, Boolean.class));
                return DONE;
            case STATUS:
                return Wire.write(worker.status(List.of(Wire.read(body, Offset[].class))));
            case PERIOD:
                return Wire.write(worker.period(Wire.read(body, Integer.class)));
            case STOP:
                return Wire.write(worker.stop(Wire.read(body, Worker.Stop.class)));
            case END_SEARCH:
                worker.endSearch(Wire.read(body, Worker.Marks.class));
                return DONE;
            case FINISH:
                return Wire.write(worker.finish());
            case CLOSE:
                openRun = null;
                worker.close();
                return DONE;
        }
        throw new IllegalArgumentException("no such request: " + request);
    }
}
