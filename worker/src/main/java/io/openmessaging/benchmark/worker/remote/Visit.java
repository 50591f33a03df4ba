package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.worker.transport.WorkerInfo;
import java.util.List;
import java.util.Optional;

/**
 * An inspection of workers: free ones are claimed until this is closed, so that their clocks can be read; others are
 * left alone.
 */
public final class Visit implements AutoCloseable {

    /**
     * The result for one worker.
     *
     * @param worker number and URL of the worker
     * @param info the worker's description of itself; empty if it is not reachable
     * @param roundTripNs time of a request and its answer; 0 if the worker is not reachable
     * @param claimed the worker, if it was free
     * @param problem reason why the worker cannot be used; empty if it can, or could if it were not busy
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
     * Inspects workers, all at the same time.
     *
     * @param urls URLs as the user gave them
     * @throws WorkerException if a URL is not that of a worker, or would use a connection that others can read
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

    /** The results, in the order of the URLs. */
    public List<Seen> all() {
        return all;
    }

    /** Releases the claimed workers. */
    @Override
    public void close() {
        claims.release(all.stream().flatMap(seen -> seen.claimed().stream()).toList());
        claims.close();
    }
}
