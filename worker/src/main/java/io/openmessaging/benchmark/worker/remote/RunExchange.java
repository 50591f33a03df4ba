package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.worker.protocol.Exchange;
import io.openmessaging.benchmark.worker.remote.WorkerCalls.Reply;
import io.openmessaging.benchmark.worker.transport.Paths;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The requests of one run to a worker. Each request has a number and is sent until it is answered: the number ensures
 * that it is executed only once. A long request is repeated, and the answers report its progress. Used by one thread
 * at a time.
 */
final class RunExchange implements Exchange {

    /** Pause between two attempts after a broken connection. */
    private static final long PAUSE_MS = 100;

    /** The connection of a run to its worker. */
    interface Line {

        /**
         * Sends a request of the session. If the thread is interrupted, this gives up the request and returns with the
         * interrupt status set.
         *
         * @throws IOException if no answer arrives
         */
        Reply post(String path, byte[] body) throws IOException;

        /** Explains why the worker has not answered, for people. */
        String describe(IOException error);

        /** The reason why the worker is lost; empty while it is not. */
        Optional<String> lost();

        /** Reports the progress of the current request; empty if there is none. */
        void progress(String text);
    }

    private final String worker;
    private final Line line;
    private final WorkerTimeouts timeouts;
    private final int run;
    private final LongSupplier nanoTime;
    private int number;

    /**
     * Creates the exchange of a run that has no requests yet.
     *
     * @param worker name of the worker, for messages
     * @param run number of the run in the session, from 1
     * @param nanoTime as {@link System#nanoTime}
     */
    RunExchange(String worker, Line line, WorkerTimeouts timeouts, int run, LongSupplier nanoTime) {
        this.worker = worker;
        this.line = line;
        this.timeouts = timeouts;
        this.run = run;
        this.nanoTime = nanoTime;
    }

    @Override
    public WireReply exchange(Request request, byte[] body) throws DriverException, InterruptedException {
        String name = request.name().toLowerCase(Locale.ROOT);
        String path = Paths.step(run, ++number, name);
        WorkerTimeout limit = request == Request.PREPARE ? WorkerTimeout.PREPARE : WorkerTimeout.STEP;
        long beganNs = nanoTime.getAsLong();
        String last = "it has reported no progress";
        try {
            while (true) {
                try {
                    Reply reply = line.post(path, body);
                    if (!reply.is(Paths.GOES_ON)) {
                        return answer(name, reply);
                    }
                    last = reply.text();
                    line.progress(last);
                    refuseIfInterrupted();
                } catch (IOException e) {
                    last = line.describe(e);
                    Thread.sleep(PAUSE_MS);
                }
                refuseIfLost();
                if (nanoTime.getAsLong() - beganNs > timeouts.of(limit).toNanos()) {
                    throw new WorkerException(
                            worker + ": " + name + " did not end within " + timeouts.describe(limit) + ": " + last);
                }
            }
        } finally {
            line.progress("");
        }
    }

    private static void refuseIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("during a request to a worker");
        }
    }

    private void refuseIfLost() throws WorkerException {
        Optional<String> lost = line.lost();
        if (lost.isPresent()) {
            throw new WorkerException(worker + ": lost: " + lost.get());
        }
    }

    private WireReply answer(String request, Reply reply) throws WorkerException, InterruptedException {
        if (reply.is(Paths.DONE)) {
            return new WireReply(false, reply.body());
        }
        refuseIfInterrupted();
        if (reply.is(Paths.FAILED)) {
            return new WireReply(true, reply.body());
        }
        refuseIfLost();
        throw new WorkerException(worker + ": " + request + " was refused: " + reply.text());
    }
}
