package io.openmessaging.benchmark.coordinator.session;

import io.openmessaging.benchmark.run.StopSignal;
import java.util.concurrent.TimeUnit;

/** The time source of a run's waits. In a test, time passes without waiting. */
public interface Time {

    /** Nanoseconds since some moment. */
    long nowNs();

    /** Lets a time pass; returns true, and early, if a stop is requested. */
    boolean await(StopSignal stop, long durationNs) throws InterruptedException;

    /** Lets a time pass even if a stop is requested. */
    void sleep(long durationNs) throws InterruptedException;

    /** The time of a real run. */
    static Time real() {
        return new Time() {
            @Override
            public long nowNs() {
                return System.nanoTime();
            }

            @Override
            public boolean await(StopSignal stop, long durationNs) throws InterruptedException {
                return stop.await(durationNs);
            }

            @Override
            public void sleep(long durationNs) throws InterruptedException {
                TimeUnit.NANOSECONDS.sleep(durationNs);
            }
        };
    }
}
