package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.worker.transport.WorkerInfo;
import java.util.List;
import java.util.Optional;

/** A look at workers: those that are free are claimed until it is closed, so that their clocks can be asked for; others are left alone. */
public final class Visit implements AutoCloseable {

    /**
     * What was found where a worker is to be.
     *
     * @param worker its name: number and URL
     * @param info what it says of itself; empty if it is not there
     * @param roundTripNs the time of a request and its answer; 0 if it is not there
     * @param claimed the worker, if it was free
     * @param problem why it cannot be used; empty if it can, or could if it were not busy
     */
    public record Seen(
            String worker,
            Optional<WorkerInfo> info,
            long roundTripNs,
            Optional<ClaimedWorker> claimed,
            Optional<String> problem) {}

    private final List<Seen> all;
    private final WorkerClaims claims;

    private Visit(List<Seen> all, WorkerClaims claims) {
        this.all = all;
        this.claims = claims;
    }

    /**
     * Looks at workers, all at a time.
     *
     * @param urls as the user gave them
     * @throws WorkerException if a URL is none of a worker, or leads to it on a way that others can read
     */
    public static Visit pay(List<String> urls, Workers.ConnectOptions coordinator)
            throws WorkerException, InterruptedException {
        WorkerClaims claims = new WorkerClaims(coordinator);
        boolean complete = false;
        try {
            Visit visit = new Visit(claims.visit(urls), claims);
            complete = true;
            return visit;
        } finally {
            if (!complete) {
                claims.close();
            }
        }
    }

    /** In the order in which they were asked for. */
    public List<Seen> all() {
        return all;
    }

    /** Gives back what was claimed. */
    @Override
    public void close() {
        claims.release(all.stream().flatMap(seen -> seen.claimed().stream()).toList());
        claims.close();
    }
}
