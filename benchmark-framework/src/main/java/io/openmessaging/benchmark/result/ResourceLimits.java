package io.openmessaging.benchmark.result;

import io.openmessaging.benchmark.limits.Enforcement;

/**
 * The limits of a run and their enforcement.
 *
 * @param broker limits of each process of the broker that was started for the run
 * @param clients limits of the process with all producers and consumers
 * @param eachClient limits of each process that has one producer or one consumer
 */
public record ResourceLimits(Enforcement broker, Enforcement clients, Enforcement eachClient) {

    /** No limits on either side. */
    public static final ResourceLimits NONE = new ResourceLimits(Enforcement.NONE, Enforcement.NONE, Enforcement.NONE);

    /** Returns whether no limit was requested. */
    public boolean isNone() {
        return broker.asked().isNone() && clients.asked().isNone() && !limitsEachClient();
    }

    /** Returns the number of processors that the clients may use; infinity without a limit. */
    public double clientCores() {
        Double cpus = clients.kept().cpus();
        return cpus == null ? Double.POSITIVE_INFINITY : cpus;
    }

    /** Returns whether each producer and each consumer has a limit of its own. */
    public boolean limitsEachClient() {
        return !eachClient.asked().isNone();
    }
}
