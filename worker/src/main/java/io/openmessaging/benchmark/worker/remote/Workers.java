package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.worker.transport.Build;
import io.openmessaging.benchmark.worker.transport.KeyFile;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The workers of a coordinator: claimed on creation, kept by regular heartbeats, released on close. */
public final class Workers implements AutoCloseable {

    /**
     * The coordinator that needs workers, and how it connects.
     *
     * @param build build of the coordinator
     * @param name name of the coordinator, for people
     * @param key key of both sides; null if only plain HTTP is used
     * @param insecure true if plain HTTP to other machines is permitted
     * @param timeouts time limits for worker calls
     */
    public record ConnectOptions(
            Build build, String name, @Nullable KeyFile key, boolean insecure, WorkerTimeouts timeouts) {}

    private final List<ClaimedWorker> workers;
    private final WorkerClaims claims;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Workers(List<ClaimedWorker> workers, WorkerClaims claims) {
        this.workers = workers;
        this.claims = claims;
    }

    /**
     * Claims workers, all at the same time. If one is not available, the others are released.
     *
     * @param urls URLs as the user gave them, in the order of the workers
     * @throws WorkerException that names all unavailable workers, with the reasons
     */
    public static Workers claim(List<String> urls, ConnectOptions coordinator)
            throws WorkerException, InterruptedException {
        return claim(coordinator, claims -> claims.all(urls));
    }

    /**
     * Claims those workers that are neither busy nor away, all at the same time; they keep their numbers.
     *
     * @param urls URLs as the user gave them
     * @throws WorkerException if none is left, or if something else is in the way
     */
    public static Workers claimRemaining(List<String> urls, ConnectOptions coordinator)
            throws WorkerException, InterruptedException {
        return claim(coordinator, claims -> claims.remaining(urls));
    }

    private interface Claiming {
        List<ClaimedWorker> by(WorkerClaims claims) throws WorkerException, InterruptedException;
    }

    private static Workers claim(ConnectOptions coordinator, Claiming claiming)
            throws WorkerException, InterruptedException {
        WorkerClaims claims = new WorkerClaims(coordinator);
        boolean complete = false;
        try {
            Workers workers = new Workers(claiming.by(claims), claims);
            complete = true;
            return workers;
        } finally {
            if (!complete) {
                claims.close();
            }
        }
    }

    /** The workers, in the order of their URLs. */
    public List<ClaimedWorker> all() {
        return workers;
    }

    /** Releases all workers; returns once they are free or a timeout has passed. */
    @Override
    public void close() {
        // A second attempt would use threads that have ended, and would never be answered.
        if (closed.compareAndSet(false, true)) {
            claims.release(workers);
            claims.close();
        }
    }
}
