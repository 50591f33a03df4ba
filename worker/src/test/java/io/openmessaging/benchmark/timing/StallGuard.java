package io.openmessaging.benchmark.timing;

import io.openmessaging.benchmark.measure.StallMeter;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/**
 * Measures how long this process stalls during each {@link Timing} test, and aborts tests that fail for that reason.
 */
final class StallGuard
        implements BeforeTestExecutionCallback, TestExecutionExceptionHandler, AfterTestExecutionCallback {

    private static final Namespace NAMESPACE = Namespace.create(StallGuard.class);

    @Override
    public void beforeTestExecution(ExtensionContext context) {
        store(context).put(StallMeter.class, StallMeter.start());
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        long longestNs = meter(context).sample().histogram().getMaxValue();
        throw abortedBy(longestNs, toleranceMs(context), failure);
    }

    /** Returns the result of a failed test: the failure, or an abort. */
    static Throwable abortedBy(long longestStallNs, int toleranceMs, Throwable failure) {
        if (longestStallNs <= TimeUnit.MILLISECONDS.toNanos(toleranceMs) / 4) {
            return failure;
        }
        return new TestAbortedException(
                "the machine let this process stand still for " + TimeUnit.NANOSECONDS.toMillis(longestStallNs)
                        + " ms, more than a quarter of the tolerance of " + toleranceMs + " ms",
                failure);
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        meter(context).close();
    }

    private static int toleranceMs(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), Timing.class)
                .or(() -> AnnotationSupport.findAnnotation(context.getRequiredTestClass(), Timing.class))
                .orElseThrow()
                .toleranceMs();
    }

    private static StallMeter meter(ExtensionContext context) {
        return Objects.requireNonNull(store(context).get(StallMeter.class, StallMeter.class));
    }

    private static Store store(ExtensionContext context) {
        return context.getStore(NAMESPACE);
    }
}
