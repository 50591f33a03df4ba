package io.openmessaging.benchmark.micro;

import io.openmessaging.benchmark.measure.EpochClock;
import org.openjdk.jmh.annotations.Benchmark;

/** The cost of reading the clock, which happens three times per message. */
public class ClockBenchmark extends NsPerCall {

    private final EpochClock clock = new EpochClock();

    /** Reads the clock of a run. */
    @Benchmark
    public long epochClock() {
        return clock.getAsLong();
    }

    /** Reads the clock that the clock of a run is based on. */
    @Benchmark
    public long nanoTime() {
        return System.nanoTime();
    }
}
