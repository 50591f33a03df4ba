package io.openmessaging.benchmark.cli.job;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.cli.fault.BrokerFaults;
import io.openmessaging.benchmark.cli.limits.RunLimits;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.faults.Separation;
import java.util.Optional;

/**
 * A driver with a broker: one that was started for it, which ends when this is closed, or the one that its file points
 * to.
 *
 * @param driver pointed to the broker
 * @param running the broker that was started; empty if none was
 * @param limits limits of the broker and this process
 * @param separation what its nodes have of their own for faults
 */
record BrokerLease(ConfiguredDriver driver, Optional<RunningBroker> running, RunLimits limits, Separation separation)
        implements AutoCloseable {

    /** State shown to users before a run starts. */
    static final String WAIT = "getting a broker ready";

    /** Nothing listens at the driver's addresses. The message is for the user. */
    static final class NobodyListensException extends Exception {

        private static final long serialVersionUID = 1L;

        NobodyListensException(ConfiguredDriver driver, String why) {
            super(driver.file().path() + ": " + why);
        }
    }

    /**
     * Starts a broker for the driver if one is needed; Ctrl-C interrupts that.
     *
     * @param workload runs with the broker, as do others with the same separation
     */
    static BrokerLease take(ConfiguredDriver driver, WorkloadFile workload, Invocation session)
            throws LocalBrokerException, NobodyListensException, InterruptedException {
        BrokerStarter starter = session.starter();
        RunLimits limits = starter.limits(driver);
        starter.printLimits(driver, limits);
        Separation separation = separation(workload);
        Optional<RunningBroker> running;
        session.stop().interruptFrom();
        try {
            running = starter.startFor(driver, limits, separation, RunExecutor.newRunId());
        } finally {
            session.stop().noInterrupts();
        }
        if (running.isPresent()) {
            RunningBroker broker = running.get();
            return new BrokerLease(
                    driver.withAddresses(broker.addresses(), broker.endpoints()), running, limits, separation);
        }
        Optional<String> nobody = BrokerStarter.nobodyListens(driver);
        if (nobody.isPresent()) {
            throw new NobodyListensException(driver, nobody.get());
        }
        return new BrokerLease(driver, running, limits, separation);
    }

    private static Separation separation(WorkloadFile workload) {
        return BrokerFaults.separation(workload.workload().faultsInOrder());
    }

    /** Returns whether a run has the same driver, and needs exactly the separation that the nodes have. */
    boolean isFor(RunLoop.Turn run) {
        return driver.file() == run.driver().file() && separation.equals(separation(run.workload()));
    }

    /** Returns whether the broker, or a node of it, has ended by itself. */
    boolean isBroken() {
        return running.stream()
                .anyMatch(broker ->
                        broker.failure().isPresent() || !broker.endedNodes().isEmpty());
    }

    @Override
    public void close() {
        running.ifPresent(RunningBroker::close);
    }
}
