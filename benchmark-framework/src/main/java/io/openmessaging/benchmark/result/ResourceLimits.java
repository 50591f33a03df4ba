package io.openmessaging.benchmark.result;

import io.openmessaging.benchmark.limits.Enforcement;

/**
 * The limits of a run and how they were kept.
 *
 * @param broker of each process of the broker that was started for the run
 * @param clients of the process with all producers and consumers
 */
public record ResourceLimits(Enforcement broker, Enforcement clients) {

    /** Both may use what there is. */
    public static final ResourceLimits NONE = new ResourceLimits(Enforcement.NONE, Enforcement.NONE);

    /** Whether nothing was to be limited. */
    public boolean isNone() {
        return broker.asked().isNone() && clients.asked().isNone();
    }
}
