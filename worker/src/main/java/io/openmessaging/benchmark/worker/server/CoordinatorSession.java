package io.openmessaging.benchmark.worker.server;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.worker.protocol.Exchange;
import io.openmessaging.benchmark.worker.protocol.WorkerEndpoint;
import io.openmessaging.benchmark.worker.transport.Claim;
import io.openmessaging.benchmark.worker.transport.Paths;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What one coordinator has of the worker, from its claim on: runs, one after the other. Thread-safe. */
final class CoordinatorSession {

    /** How long a request that is interrupted has to notice, before the worker is closed beside it. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final int SHOWN_NAME = 100;

    /** Makes the worker when the first request is carried out, and ends the run before it then. */
    private final class OnDemand implements Exchange {

        private final @Nullable Steps before;
        private volatile @Nullable Exchange worker;

        OnDemand(@Nullable Steps before) {
            this.before = before;
        }

        @Override
        public WireReply exchange(Request request, byte[] body) throws DriverException, InterruptedException {
            Exchange made = worker;
            if (made == null) {
                if (before != null) {
                    before.end(PATIENCE);
                }
                made = new WorkerEndpoint(workplace.newWorker(text -> progress = text));
                worker = made;
            }
            return made.exchange(request, body);
        }
    }

    private final String id;
    private final String coordinator;
    private final Instant since = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final Workplace workplace;
    private final LongSupplier nanoTime;
    private int run;
    private @Nullable Steps steps;
    private boolean over;
    private volatile String progress = "";

    CoordinatorSession(Claim claim, Workplace workplace, LongSupplier nanoTime) {
        this.id = claim.session();
        this.coordinator = printable(claim.coordinator());
        this.workplace = workplace;
        this.nanoTime = nanoTime;
    }

    /** It ends up on terminals of others. */
    private static String printable(String name) {
        String clean = name.replaceAll("\\p{Cntrl}", "?");
        return clean.length() > SHOWN_NAME ? clean.substring(0, SHOWN_NAME) + "…" : clean;
    }

    String id() {
        return id;
    }

    /**
     * Begins a step, unless it has been begun. The first step of another run ends the run before it.
     *
     * @throws Refusal if the step, the run or the session is over
     */
    synchronized CompletableFuture<Exchange.WireReply> take(
            int ofRun, int number, Exchange.Request request, byte[] body) throws Refusal {
        if (over) {
            throw new Refusal(Paths.OVER, "the session is over");
        }
        if (ofRun < run) {
            throw new Refusal(Paths.CONFLICT, "run " + ofRun + " is over: the latest is run " + run);
        }
        if (steps == null || ofRun > run) {
            steps = new Steps(new OnDemand(steps), nanoTime);
            run = ofRun;
        }
        if (!steps.hasBegun(number)) {
            progress = "";
        }
        return steps.take(number, request, body);
    }

    /**
     * Nobody waits for a step any more.
     *
     * @throws Refusal if it has not come yet
     */
    synchronized void giveUp(int ofRun, int number) throws Refusal {
        if (steps == null || ofRun > run) {
            throw new Refusal(Paths.UNKNOWN, "there is no run " + ofRun + " yet");
        }
        if (ofRun == run) {
            steps.giveUp(number);
        }
    }

    /** What it does at the moment; null if it waits for a request. */
    @Nullable
    String doing() {
        Steps current = current();
        String step = current == null ? null : current.doing();
        return step == null || progress.isEmpty() ? step : step + ": " + progress;
    }

    private synchronized @Nullable Steps current() {
        return steps;
    }

    /** Who has it, and since when, for people. */
    String describe() {
        return "a run of " + coordinator + " since " + since;
    }

    /** No more steps are taken. */
    synchronized void refuseMore() {
        over = true;
    }

    /** Stops the load and closes the clients; returns once that is done. */
    void end() {
        refuseMore();
        Steps current = current();
        if (current != null) {
            current.end(PATIENCE);
        }
    }
}
