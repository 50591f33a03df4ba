package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.cli.limits.RunLimits;
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
    static BrokerLease take(ConfiguredDriver driver, Session session)
            throws LocalBrokerException, NobodyListensException, InterruptedException {
        BrokerStarter starter = session.starter();
        RunLimits limits = starter.limits(driver);
        starter.printLimits(driver, limits);
        Optional<RunningBroker> running;
        session.stop().interruptFrom();
        try {
            running = starter.startFor(driver, limits, RunExecutor.newRunId());
        } finally {
            session.stop().noInterrupts();
        }
        if (running.isPresent()) {
            RunningBroker broker = running.get();
            return new BrokerLease(driver.withAddresses(broker.addresses(), broker.endpoints()), running, limits);
        }
        if (BrokerStarter.nobodyListens(driver)) {
            throw new NobodyListensException(driver);
        }
        return new BrokerLease(driver, running, limits);
    }

    @Override
    public void close() {
        running.ifPresent(RunningBroker::close);
    }
}
