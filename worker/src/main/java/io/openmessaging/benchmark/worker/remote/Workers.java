package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.worker.transport.Build;
import io.openmessaging.benchmark.worker.transport.KeyFile;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The workers of a coordinator: claimed when this is made, kept by a sign of life a second, given back when it is closed. */
public final class Workers implements AutoCloseable {

    /**
     * Who asks for workers, and how.
     *
     * @param build what it runs
     * @param name who it is, for people
     * @param key of both sides; null where only http is spoken
     * @param insecure whether http may be spoken with other machines
     * @param timeouts how long workers get
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
     * Claims workers, all at a time. If one cannot be had, those that could are given back.
     *
     * @param urls as the user gave them; their order is that of the workers
     * @throws WorkerException that names all workers which cannot be had, with the reasons
     */
    public static Workers claim(List<String> urls, ConnectOptions coordinator)
            throws WorkerException, InterruptedException {
        WorkerClaims claims = new WorkerClaims(coordinator);
        boolean complete = false;
        try {
            Workers workers = new Workers(claims.all(urls), claims);
            complete = true;
            return workers;
        } finally {
            if (!complete) {
                claims.close();
            }
        }
    }

    /** In the order in which they were asked for. */
    public List<ClaimedWorker> all() {
        return workers;
    }

    /** Gives all back; returns once they are free, or cannot be waited for any longer. */
    @Override
    public void close() {
        // Asked once more, by threads that have ended, nobody would ever answer.
        if (closed.compareAndSet(false, true)) {
            claims.release(workers);
            claims.close();
        }
    }
}
