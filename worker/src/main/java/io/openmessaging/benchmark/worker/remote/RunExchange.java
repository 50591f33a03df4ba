package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.worker.group.Member;
import io.openmessaging.benchmark.worker.protocol.Exchange.Request;
import io.openmessaging.benchmark.worker.protocol.Exchange.WireReply;
import io.openmessaging.benchmark.worker.remote.WorkerCalls.Reply;
import io.openmessaging.benchmark.worker.transport.Paths;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one run to a worker. Each request has a number and is sent until it is answered: the number ensures
 * that it is executed only once. A long request is repeated, and the answers report its progress.
 */
final class RunExchange implements Member {

    /** Offset of an unknown clock: its bound exceeds any latency. Halved twice, so that two bounds can be added. */
    private static final Offset UNKNOWN = new Offset(0, Long.MAX_VALUE / 4);

    private static final Executor AFTER_FAILURE = CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS);
    private static final Executor SOON = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);

    /** Sends a request of the session; fails with an {@link java.io.IOException} if no answer arrives. */
    interface Line {
        CompletableFuture<Reply> send(String method, String path, byte[] body);
    }

    private final ClaimedWorker worker;
    private final Line line;
    private final int run;
    private final Supplier<Optional<Offset>> clock;
    private final Supplier<Optional<String>> killed;
    private int number;
    private volatile @Nullable Step latest;

    /**
     * Creates the exchange of a run that has no requests yet.
     *
     * @param line the connection to the worker
     * @param run number of the run in the session, from 1
     * @param clock offset of the worker's clock, as far as known
     * @param killed reason why this machine's kernel has killed the worker; empty if it has not
     */
    RunExchange(
            ClaimedWorker worker,
            Line line,
            int run,
            Supplier<Optional<Offset>> clock,
            Supplier<Optional<String>> killed) {
        this.worker = worker;
        this.line = line;
        this.run = run;
        this.clock = clock;
        this.killed = killed;
    }

    /** A request, from its first attempt to its answer. */
    private final class Step {

        private final String name;
        private final String path;
        private final byte[] body;
        private final WorkerTimeout limit;
        private final long beganNs = System.nanoTime();
        final CompletableFuture<WireReply> answer = new CompletableFuture<>();
        private volatile boolean givenUp;

        /** The latest progress; empty if none was reported. */
        volatile String progress = "";

        Step(Request request, int number, byte[] body) {
            this.name = request.name().toLowerCase(Locale.ROOT);
            this.path = Paths.step(run, number, name);
            this.body = body;
            this.limit = request == Request.PREPARE ? WorkerTimeout.PREPARE : WorkerTimeout.STEP;
        }

        void send() {
            if (givenUp) {
                fail(name + " was given up");
                return;
            }
            orFail(() -> {
                var unused = line.send("POST", path, body)
                        .whenComplete((reply, failure) -> orFail(() -> answered(reply, failure)));
            });
        }

        /** Ends the step after an unexpected error, which nobody would notice otherwise. */
        private void orFail(Runnable part) {
            try {
                part.run();
            } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
            }
        }

        private void answered(@Nullable Reply reply, @Nullable Throwable failure) {
            if (reply != null && !reply.is(Paths.GOES_ON)) {
                end(reply);
                return;
            }
            if (reply != null) {
                progress = reply.text();
            }
            Optional<String> lost = worker.lost();
            if (lost.isPresent()) {
                fail("lost: " + lost.get());
            } else if (System.nanoTime() - beganNs > worker.timeouts().of(limit).toNanos()) {
                String last = reply == null ? worker.describe(failure) : progress;
                fail(name + " did not end within " + worker.timeouts().describe(limit) + ": " + last);
            } else if (reply == null) {
                AFTER_FAILURE.execute(this::send);
            } else {
                send();
            }
        }

        private void end(Reply reply) {
            if (reply.is(Paths.DONE) || reply.is(Paths.FAILED)) {
                answer.complete(new WireReply(reply.is(Paths.FAILED), reply.body()));
            } else {
                fail(worker.lost().map(why -> "lost: " + why).orElse(name + " was refused: " + reply.text()));
            }
        }

        private void fail(String why) {
            answer.completeExceptionally(new WorkerException(worker + ": " + why));
        }

        void giveUp() {
            givenUp = true;
            var unused = line.send("DELETE", path, WorkerCalls.NOTHING).whenComplete((reply, failure) -> {
                // It may overtake the step.
                if (reply != null && reply.is(Paths.UNKNOWN) && !answer.isDone()) {
                    SOON.execute(this::giveUp);
                }
            });
        }
    }

    @Override
    public CompletableFuture<WireReply> exchange(Request request, byte[] body) {
        Step step = new Step(request, ++number, body);
        latest = step;
        step.send();
        return step.answer;
    }

    @Override
    public void giveUp() {
        Step step = latest;
        if (step != null) {
            step.giveUp();
        }
    }

    @Override
    public String name() {
        return worker.name();
    }

    @Override
    public Optional<String> lost() {
        return worker.lost().map(why -> killed.get().orElse(why));
    }

    @Override
    public long roundTripNs() {
        return worker.roundTripNs();
    }

    @Override
    public Offset clock() {
        return clock.get().orElse(UNKNOWN);
    }

    @Override
    public String progress() {
        Step step = latest;
        if (worker.isSuspect()) {
            return ClaimedWorker.SILENT;
        }
        return step == null || step.answer.isDone() ? "" : step.progress;
    }
}
