package io.openmessaging.benchmark.cli.limits;

import io.openmessaging.benchmark.config.driver.DriverFileLimits;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.limits.Enforcement;
import io.openmessaging.benchmark.limits.LimitGroup;
import io.openmessaging.benchmark.limits.LimitMechanisms;
import io.openmessaging.benchmark.limits.ProcessLimit;
import io.openmessaging.benchmark.result.ResourceLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Limits of brokers and clients during the runs with one driver.
 *
 * @param broker limit of a local broker that will be started
 * @param clients limit of this process
 * @param eachClient limit of each process that is started for a producer or a consumer
 */
public record RunLimits(Confinement broker, Confinement clients, Confinement eachClient) {

    /** No limits. */
    public static final RunLimits NONE = new RunLimits(Confinement.NONE, Confinement.NONE, Confinement.NONE);

    private static final String CLIENTS = "clients";

    /**
     * Determines how limits are enforced here; leaves no lasting changes.
     *
     * @param kind of the local broker that may be started
     */
    public static RunLimits of(DriverFileLimits settings, Confinement.ProcessType kind) {
        ProcessLimit broker = settings.broker().limit();
        ProcessLimit clients = settings.clients().limit();
        ProcessLimit eachClient = settings.eachClient().limit();
        if (broker.isNone() && clients.isNone() && eachClient.isNone()) {
            return NONE;
        }
        LimitMechanisms mechanisms = LimitMechanisms.ofThisMachine();
        return new RunLimits(
                Confinement.ofBroker(broker, kind, mechanisms),
                Confinement.ofThisProcess(
                        clients, mechanisms, Runtime.getRuntime().maxMemory()),
                Confinement.ofEachClient(eachClient, mechanisms));
    }

    /** Returns whether the user requested any limits. */
    public boolean areRequested() {
        return this != NONE;
    }

    /** Returns whether each producer and each consumer needs a process of its own. */
    public boolean limitsEachClient() {
        return !eachClient.enforcement().asked().isNone();
    }

    /**
     * Returns why {@code limits.eachClient} cannot be enforced on this machine; empty if it can, or if there is none. A
     * run without these limits would measure other clients than those that the file describes.
     */
    public Optional<String> whyNotEachClient() {
        List<String> notEnforced = eachClient.enforcement().notEnforced();
        return notEnforced.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", notEnforced));
    }

    /**
     * Returns how the limits are enforced during a run.
     *
     * @param brokerStarted whether the broker was started here: one that was not cannot be limited
     */
    public ResourceLimits during(boolean brokerStarted) {
        Enforcement ofBroker = broker.enforcement();
        if (!brokerStarted && !ofBroker.asked().isNone()) {
            ofBroker = new Enforcement(
                    ofBroker.asked(), null, null, List.of("the broker was not started by this program"));
        }
        return new ResourceLimits(ofBroker, clients.enforcement(), eachClient.enforcement());
    }

    /** Describes the limits, including what is not enforced; empty without limits. */
    public static Optional<String> describe(ResourceLimits limits) {
        if (limits.isNone()) {
            return Optional.empty();
        }
        List<String> parts = new ArrayList<>();
        if (!limits.broker().asked().isNone()) {
            parts.add("broker, each process: " + limits.broker().describe());
        }
        if (!limits.clients().asked().isNone()) {
            parts.add("clients: " + limits.clients().describe());
        }
        if (limits.limitsEachClient()) {
            parts.add("each producer and each consumer: " + limits.eachClient().describe());
        }
        return Optional.of(String.join(" · ", parts));
    }

    /**
     * Moves this process within the limits of the clients until the returned object is closed.
     *
     * @throws IOException if that is not possible after all
     */
    public Entered enterClients() throws IOException {
        Optional<LimitGroup> group = clients.open(CLIENTS);
        if (group.isPresent()) {
            try {
                group.get().enter(ProcessHandle.current().pid());
            } catch (IOException e) {
                group.get().close();
                throw e;
            }
        }
        return new Entered(group);
    }

    /** This process within its limits, or without any. */
    public record Entered(Optional<LimitGroup> group) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            if (group.isPresent()) {
                try {
                    group.get().leave(ProcessHandle.current().pid());
                } finally {
                    group.get().close();
                }
            }
        }
    }
}
