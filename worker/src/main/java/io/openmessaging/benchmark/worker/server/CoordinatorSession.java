package io.openmessaging.benchmark.worker.server;

import io.openmessaging.benchmark.worker.protocol.Exchange;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.WorkerEndpoint;
import io.openmessaging.benchmark.worker.transport.Claim;
import io.openmessaging.benchmark.worker.transport.Paths;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One coordinator's use of the worker, from its claim on: runs, one after the other. Thread-safe. */
final class CoordinatorSession {

    /** Time that an interrupted request has to react before the worker is closed concurrently. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final int SHOWN_NAME = 100;

    private final String id;
    private final String coordinator;
    private final Instant since = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final Workplace workplace;
    private final LongSupplier nanoTime;
    private int run;
    private @Nullable WorkerEndpoint worker;
    private @Nullable Steps steps;
    private boolean over;
    private volatile String progress = "";

    CoordinatorSession(Claim claim, Workplace workplace, LongSupplier nanoTime) {
        this.id = claim.session();
        this.coordinator = printable(claim.coordinator());
        this.workplace = workplace;
        this.nanoTime = nanoTime;
    }

    /** Cleans a name that is shown on other users' terminals. */
    private static String printable(String name) {
        String clean = name.replaceAll("\\p{Cntrl}", "?");
        return clean.length() > SHOWN_NAME ? clean.substring(0, SHOWN_NAME) + "…" : clean;
    }

    String id() {
        return id;
    }

    /**
     * Starts a step unless it was already started. The first step of another run ends the previous run.
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
            worker = new WorkerEndpoint(newWorker(steps));
            steps = new Steps(worker, nanoTime);
            run = ofRun;
        }
        if (!steps.hasBegun(number)) {
            progress = "";
        }
        return steps.take(number, request, body);
    }

    /** Creates the worker of a run after ending the previous one. */
    private Supplier<Worker> newWorker(@Nullable Steps before) {
        return () -> {
            if (before != null) {
                before.end(PATIENCE);
            }
            return workplace.newWorker(text -> progress = text);
        };
    }

    /**
     * Gives up a step for which nobody waits any more.
     *
     * @throws Refusal if the step has not arrived yet
     */
    synchronized void giveUp(int ofRun, int number) throws Refusal {
        if (steps == null || ofRun > run) {
            throw new Refusal(Paths.UNKNOWN, "there is no run " + ofRun + " yet");
        }
        if (ofRun == run) {
            steps.giveUp(number);
        }
    }

    /** Describes the current step or load; null if the session waits for a request. */
    @Nullable
    String doing() {
        Steps current = current();
        String step = current == null ? null : current.doing();
        return step == null || progress.isEmpty() ? step : step + ": " + progress;
    }

    private synchronized @Nullable Steps current() {
        return steps;
    }

    /** Describes the owner and the start of the session, for people. */
    String describe() {
        return "a run of " + coordinator + " since " + since;
    }

    /** See {@link WorkerEndpoint#openRun}. */
    synchronized Optional<String> openRun() {
        return worker == null ? Optional.empty() : worker.openRun();
    }

    /** Refuses all further steps. */
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
