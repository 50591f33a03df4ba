package io.openmessaging.benchmark.driver.artemis;

import static io.openmessaging.benchmark.driver.artemis.ArtemisCalls.THREADS;

import io.openmessaging.benchmark.driver.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/**
 * The threads of one connection's clients: they deliver messages and acknowledgements, in order for each session. The
 * client's own pools belong to the process and would outlive the connection.
 */
final class ClientThreads implements AutoCloseable {

    private static final int SCHEDULER_THREADS = 1;
    private static final int IDLE_LIMIT_S = 60;

    private final ExecutorService workers = cachedPool("artemis-client");
    private final ExecutorService flowControl = cachedPool("artemis-flow-control");
    private final ScheduledExecutorService scheduler =
            Executors.newScheduledThreadPool(SCHEDULER_THREADS, THREADS.named("artemis-scheduler"));

    /** What comes after the end, such as the news that a connection is gone, concerns nobody any more. */
    private static ExecutorService cachedPool(String name) {
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_LIMIT_S,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                THREADS.named(name),
                new ThreadPoolExecutor.DiscardPolicy());
    }

    void lendTo(ServerLocator locator) {
        locator.setThreadPools(workers, scheduler, flowControl);
    }

    /**
     * Runs an action on a thread of its own and waits for it, not hurried by an interrupt, which stays set.
     *
     * @return whether it has ended within the limit
     */
    boolean runWithin(Duration limit, Runnable action) {
        return Deadline.in(limit).awaitEnd(CompletableFuture.runAsync(action, workers));
    }

    /** Does not wait: what still runs ends by itself. */
    @Override
    public void close() {
        workers.shutdown();
        flowControl.shutdown();
        scheduler.shutdownNow();
    }
}
