package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.coordinator.session.Time;
import io.openmessaging.benchmark.run.RunTimeouts;
import io.openmessaging.benchmark.run.StopSignal;
import java.time.Duration;

/**
 * Time that passes only while a run waits: however busy the machine is, no limit expires before the run has looked.
 * During a load, several seconds pass in each real one, since messages are sent meanwhile. All other waits take no
 * time: a fake system has delivered a message when the call that sends it returns, so there is nothing to wait for.
 */
final class WaitedTime implements Time {

    /** A workload measures for at least one second. */
    static final int SECONDS_EACH = 5;

    private long nowNs;

    /**
     * The limits of a run in this time.
     *
     * @param patience longest wait without any movement
     */
    static RunTimeouts timeouts(Duration patience) {
        Duration most = patience.plusMinutes(5);
        return new RunTimeouts(most, patience, patience, most, most, Duration.ofMillis(20));
    }

    @Override
    public long nowNs() {
        return nowNs;
    }

    @Override
    public boolean await(StopSignal stop, long durationNs) throws InterruptedException {
        pass(SECONDS_EACH * durationNs);
        return stop.await(durationNs);
    }

    @Override
    public void sleep(long durationNs) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        pass(durationNs);
    }

    private void pass(long durationNs) {
        nowNs += Math.max(0, durationNs);
    }
}
