package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.jspecify.annotations.Nullable;

/** Waits for what Pulsar was asked and puts its errors into sentences. */
final class Answers {

    /** What the client makes of a broker's refusal: the reason amid numbers of requests and addresses. */
    private static final Pattern REFUSAL = Pattern.compile("\"errorMsg\":\"(.*?)\",\"reqId\"", Pattern.DOTALL);

    /** The names of the exceptions that an error was wrapped into on its way. */
    private static final Pattern WRAPPING = Pattern.compile("^(?:[\\w$.]+(?:Exception|Error): )+");

    private Answers() {}

    /**
     * Waits for an answer.
     *
     * @param attempt what was asked, so that "Could not " may stand before it
     * @throws DriverException if it is refused, with Pulsar's error as the cause, or does not come in time
     */
    static <T extends @Nullable Object> T await(CompletableFuture<T> answer, Deadline deadline, String attempt)
            throws DriverException, InterruptedException {
        try {
            return answer.get(deadline.leftNs(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw refused(attempt, e);
        } catch (TimeoutException e) {
            throw new DriverException(
                    "Could not " + attempt + ": no answer within "
                            + deadline.limit().toMillis() + " ms",
                    e);
        }
    }

    /** The same answer, or null in place of an error that stands for no more than that there is nothing to be done. */
    static <T> CompletableFuture<@Nullable T> unless(Class<? extends Exception> expected, CompletableFuture<T> answer) {
        return answer.<@Nullable T>thenApply(value -> value)
                .exceptionallyCompose(error -> expected.isInstance(unwrapped(error))
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(error));
    }

    /** The error to throw for one of Pulsar's. */
    static DriverException refused(String attempt, Throwable error) {
        Throwable cause = unwrapped(error);
        return new DriverException("Could not " + attempt + ": " + reason(cause), cause);
    }

    /** What the client has failed with, without the wrapping of futures. */
    static Throwable unwrapped(Throwable error) {
        Throwable inner = error;
        while ((inner instanceof CompletionException || inner instanceof ExecutionException)
                && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
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
