package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.driver.DriverException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Closes many clients at a time, all of them even if some fail, and collects the failures. */
final class ParallelClose {

    private static final int THREADS = 16;

    private @Nullable Throwable failure;

    /** Closes all clients and waits for the end; the driver must limit the time of each close. */
    void all(List<? extends AutoCloseable> clients) {
        if (clients.isEmpty()) {
            return;
        }
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(THREADS, clients.size()), task -> {
            Thread thread = new Thread(task, "closing");
            thread.setDaemon(true);
            return thread;
        });
        List<Future<?>> closes = new ArrayList<>();
        for (AutoCloseable client : clients) {
            closes.add(threads.submit(() -> {
                client.close();
                return null;
            }));
        }
        threads.shutdown();
        boolean interrupted = false;
        for (Future<?> close : closes) {
            interrupted |= await(close);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits for one close, through interrupts, since each close is bounded; returns whether the thread was
     * interrupted.
     */
    private boolean await(Future<?> close) {
        boolean interrupted = false;
        while (true) {
            try {
                close.get();
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException e) {
                note(e.getCause() == null ? e : e.getCause());
                return interrupted;
            }
        }
    }

    private void note(Throwable cause) {
        if (failure == null) {
            failure = cause;
        } else if (failure != cause) {
            failure.addSuppressed(cause);
        }
    }

    /** Throws the first failure, if there is one. */
    void throwFirstFailure() throws DriverException {
        if (failure instanceof DriverException cause) {
            throw cause;
        }
        if (failure != null) {
            throw new DriverException("closing a client failed: " + failure, failure);
        }
    }
}
