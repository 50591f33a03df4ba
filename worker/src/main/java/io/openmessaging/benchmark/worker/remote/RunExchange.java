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
 * One run at a worker. Each request has a number and is sent until it is answered: the number makes it one that is carried
 * out once. One that takes long is asked for again and again, which tells how far it is. Used by one thread at a time.
 */
final class RunExchange implements Exchange {

    /** Between two attempts where the connection broke. */
    private static final long PAUSE_MS = 100;

    /** What a run needs of its worker. */
    interface Line {

        /**
         * Sends a request of the session. A thread that is interrupted gives the request up, and is still interrupted when
         * this returns.
         *
         * @throws IOException if no answer came
         */
        Reply post(String path, byte[] body) throws IOException;

        /** Why it has not answered, for people. */
        String describe(IOException error);

        /** Why the worker is lost; empty while it is not. */
        Optional<String> lost();

        /** How far the current request is; empty if there is none. */
        void progress(String text);
    }

    private final String worker;
    private final Line line;
    private final WorkerTimeouts timeouts;
    private final int run;
    private final LongSupplier nanoTime;
    private int number;

    /**
     * A run of which nothing has been asked yet.
     *
     * @param worker its name, for messages
     * @param run its number in the session, from 1
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
        String last = "it has reported nothing";
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
                            worker + ": " + name + " was not done within " + timeouts.describe(limit) + ": " + last);
                }
            }
        } finally {
            line.progress("");
        }
    }

    private static void refuseIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("while a worker was asked");
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
