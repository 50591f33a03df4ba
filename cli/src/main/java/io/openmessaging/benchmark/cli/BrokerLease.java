package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.coordinator.StopSignal;
import java.util.Optional;

/**
 * A driver that has somewhere to go: to the broker that was started for it, which ends when this is closed, or to the one
 * that its file points to.
 *
 * @param driver pointed to the broker
 * @param running what was started, if something was
 * @param limits what the broker and this process may use
 */
record BrokerLease(ConfiguredDriver driver, Optional<RunningBroker> running, RunLimits limits)
        implements AutoCloseable {

    /** Nothing listens where the driver points to. The message is for the user. */
    static final class NobodyListensException extends Exception {

        private static final long serialVersionUID = 1L;

        NobodyListensException(ConfiguredDriver driver) {
            super(driver.file().path() + ": nothing listens on "
                    + String.join(", ", driver.loaded().addresses()));
        }
    }

    /** Starts a broker if one is to be started for the driver; Ctrl-C interrupts that. */
    static BrokerLease take(ConfiguredDriver driver, BrokerStarter starter, StopSignal stop)
            throws LocalBrokerException, NobodyListensException, InterruptedException {
        RunLimits limits = starter.limits(driver);
        starter.sayLimits(driver, limits);
        Optional<RunningBroker> running = start(driver, limits, starter, stop);
        if (running.isEmpty() && BrokerStarter.nobodyListens(driver)) {
            throw new NobodyListensException(driver);
        }
        ConfiguredDriver pointed = running.<ConfiguredDriver>map(
                        broker -> driver.withAddresses(broker.addresses(), broker.endpoints()))
                .orElse(driver);
        return new BrokerLease(pointed, running, limits);
    }

    private static Optional<RunningBroker> start(
            ConfiguredDriver driver, RunLimits limits, BrokerStarter starter, StopSignal stop)
            throws LocalBrokerException, InterruptedException {
        stop.interruptFrom();
        try {
            return starter.startFor(driver, limits, RunExecutor.newRunId());
        } finally {
            stop.noInterrupts();
        }
    }

    @Override
    public void close() {
        running.ifPresent(RunningBroker::close);
    }
}
