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

/** How this driver asks Pulsar, and what it makes of its errors. */
final class PulsarCalls {

    static final DriverThreads THREADS = DriverThreads.of(PulsarCalls.class);

    static final Calls CALLS = new Calls("pulsar", THREADS, PulsarCalls::reason);

    /** What the client makes of a broker's refusal: the reason amid numbers of requests and addresses. */
    private static final Pattern REFUSAL = Pattern.compile("\"errorMsg\":\"(.*?)\",\"reqId\"", Pattern.DOTALL);

    /** The names of the exceptions that an error was wrapped into on its way. */
    private static final Pattern WRAPPING = Pattern.compile("^(?:[\\w$.]+(?:Exception|Error): )+");

    /** Answers come from brokers that handle many requests at a time. */
    private static final int AT_A_TIME = 32;

    private PulsarCalls() {}

    /**
     * Asks for many things, several at a time: one after the other would take a round trip each, all at once might be more
     * than a broker takes. All or nothing: when one fails, the others are discarded, however late they come, and nobody
     * waits for that.
     *
     * @param attempt what all of them together do, so that "Could not " may stand before it
     * @param attemptOf what is tried for one, so that "Could not " may stand before it
     * @param creation begins to create one
     * @param discard begins to release one
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

    // What was given up is released when it comes; what becomes of that concerns nobody.
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

    /** The same answer, or null in place of an error that stands for no more than that there is nothing to be done. */
    static <T> CompletableFuture<@Nullable T> unless(Class<? extends Exception> expected, CompletableFuture<T> answer) {
        return answer.<@Nullable T>thenApply(value -> value)
                .exceptionallyCompose(error -> expected.isInstance(Calls.unwrapped(error))
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(error));
    }

    /** Pulsar's own words on one line. */
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
        return error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
    }
}
