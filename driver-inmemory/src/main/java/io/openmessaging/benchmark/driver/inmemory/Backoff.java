package io.openmessaging.benchmark.driver.inmemory;

import java.util.concurrent.locks.LockSupport;

/** Waits for something that is expected soon: first spinning, then in short sleeps. Used by one thread. */
final class Backoff {

    private static final int SPINS = 100;
    private static final long SLEEP_NS = 20_000;

    private int rounds;

    void pause() {
        if (rounds < SPINS) {
            rounds++;
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(this, SLEEP_NS);
        }
    }
}
