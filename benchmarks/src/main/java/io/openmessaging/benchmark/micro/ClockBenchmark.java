package io.openmessaging.benchmark.micro;

import io.openmessaging.benchmark.measure.EpochClock;
import org.openjdk.jmh.annotations.Benchmark;

/** What it costs to read the clock, which a message does three times. */
public class ClockBenchmark extends NsPerCall {

    private final EpochClock clock = new EpochClock();

    /** The clock of a run. */
    @Benchmark
    public long epochClock() {
        return clock.getAsLong();
    }

    /** What it is made of. */
    @Benchmark
    public long nanoTime() {
        return System.nanoTime();
    }
}
