package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.DriverThreads;
import io.openmessaging.benchmark.driver.ManyCalls;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.jspecify.annotations.Nullable;

/** Runs this driver's calls to Pulsar and words their errors. */
final class PulsarCalls {

    static final DriverThreads THREADS = DriverThreads.of(PulsarCalls.class);

    static final Calls CALLS = new Calls("pulsar", THREADS, PulsarCalls::reason);

    /** Finds the reason in the client's message about a broker's refusal, among request numbers and addresses. */
    private static final Pattern REFUSAL = Pattern.compile("\"errorMsg\":\"(.*?)\",\"reqId\"", Pattern.DOTALL);

    /** The names of the exceptions that an error was wrapped into on its way. */
    private static final Pattern WRAPPING = Pattern.compile("^(?:[\\w$.]+(?:Exception|Error): )+");

    /** Requests in flight at a time, since brokers handle many at once. */
    private static final int AT_A_TIME = 32;

    private PulsarCalls() {}

    /**
     * Runs many requests, several at a time: one after the other would take a round trip each, and all at once might
     * be more than a broker accepts. All or nothing: if one fails, the results of the others are discarded, however
     * late they arrive, without a wait.
     *
     * @param attempt the attempt of all of them together, to follow "Could not "
     * @param attemptOf the attempt for one specification, to follow "Could not "
     * @param creation starts to create one
     * @param discard starts to release one
     * @throws DriverException the first failure in the order of the specifications, or if the deadline passes
     */
    @SuppressWarnings("FutureReturnValueIgnored")
    static <S, T> List<T> all(
            String attempt,
            List<S> specs,
            Deadline deadline,
            Function<S, String> attemptOf,
            Function<S, CompletableFuture<T>> creation,
            Function<T, CompletableFuture<Void>> discard)
            throws DriverException, InterruptedException {
        return new ManyCalls<T>(CALLS, attempt, AT_A_TIME, ManyCalls.each(discard::apply))
                .all(specs, spec -> await(attemptOf.apply(spec), deadline, creation.apply(spec), discard), deadline);
    }

    // A result that arrives after all is released; the outcome of that does not matter.
    @SuppressWarnings("FutureReturnValueIgnored")
    private static <T> T await(
            String attempt,
            Deadline deadline,
            CompletableFuture<T> future,
            Function<T, CompletableFuture<Void>> discard)
            throws DriverException, InterruptedException {
        try {
            return CALLS.await(attempt, deadline, future);
        } catch (DriverException | InterruptedException e) {
            future.thenCompose(discard);
            throw e;
        }
    }

    /** Returns the answer, or null in place of an error which only means that there is nothing to do. */
    static <T> CompletableFuture<@Nullable T> unless(Class<? extends Exception> expected, CompletableFuture<T> answer) {
        return answer.<@Nullable T>thenApply(value -> value)
                .exceptionallyCompose(error -> expected.isInstance(Calls.unwrapped(error))
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(error));
    }

    /** Returns Pulsar's own message, on one line. */
    static String reason(Throwable error) {
        String message = words(error);
        Matcher refusal = REFUSAL.matcher(message);
        String reason = refusal.find() ? refusal.group(1) : message;
        return WRAPPING.matcher(reason).replaceFirst("").strip().replaceAll("\\s*\\R\\s*", " ");
    }

    private static String words(Throwable error) {
        if (error instanceof PulsarAdminException refusal
                && refusal.getHttpError() != null
                && !refusal.getHttpError().isBlank()) {
            return refusal.getHttpError();
        }
        return Calls.message(error);
    }
}
