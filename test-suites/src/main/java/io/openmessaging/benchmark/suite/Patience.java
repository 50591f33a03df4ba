package io.openmessaging.benchmark.suite;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Time limit of a test for anything that might hang. The limit is a safeguard and never what a test asserts, so it is
 * far longer than anything takes on a working machine. A slow machine may have a longer one: {@code TESTS_PATIENCE} in
 * the environment is a factor, 1 by default, and 5 where {@code CI} is {@code true}.
 *
 * <p>All methods are thread-safe and throw {@link AssertionError} at the limit.
 */
public final class Patience {

    private static final int LIMIT_SECONDS = 60;
    private static final int FACTOR_ON_CI = 5;

    /** The time limit. */
    public static final Duration LIMIT =
            limit(System.getenv().getOrDefault("TESTS_PATIENCE", ""), "true".equals(System.getenv("CI")));

    private Patience() {}

    static Duration limit(String factor, boolean onCi) {
        int times = factor.isEmpty() ? onCi ? FACTOR_ON_CI : 1 : Integer.parseInt(factor);
        if (times < 1) {
            throw new IllegalArgumentException("TESTS_PATIENCE must be at least 1, got " + factor);
        }
        return Duration.ofSeconds(LIMIT_SECONDS).multipliedBy(times);
    }

    /** Returns a wait, whose condition is added by a method such as {@code until}. */
    public static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(LIMIT).pollInterval(Duration.ofMillis(5));
    }

    /** Waits until a condition is true. */
    public static void until(String what, Callable<Boolean> isSo) {
        await(what).until(isSo);
    }

    /** Waits for a latch to reach 0. */
    public static void await(String what, CountDownLatch latch) throws InterruptedException {
        if (!latch.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw hang(what);
        }
    }

    /**
     * Waits for a result.
     *
     * @throws ExecutionException if there is an error instead
     */
    public static <T> T get(String what, Future<T> future) throws InterruptedException, ExecutionException {
        try {
            return future.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw hang(what);
        }
    }

    /** Waits for the next element. */
    public static <T> T take(String what, BlockingQueue<T> queue) throws InterruptedException {
        T element = queue.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        if (element == null) {
            throw hang(what);
        }
        return element;
    }

    /** Waits for the end of a thread. */
    public static void join(Thread thread) throws InterruptedException {
        thread.join(LIMIT.toMillis());
        if (thread.isAlive()) {
            throw hang("the end of thread " + thread.getName());
        }
    }

    /** Waits for the end of a process and returns its exit code; kills a process that does not end. */
    public static int exitCode(String what, Process process) throws InterruptedException {
        if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
            throw hang("the end of " + what);
        }
        return process.exitValue();
    }

    private static AssertionError hang(String what) {
        return new AssertionError("Waited " + LIMIT.toSeconds() + " s for " + what + ".");
    }
}
