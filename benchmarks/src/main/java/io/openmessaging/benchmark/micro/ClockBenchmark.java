package io.openmessaging.benchmark.micro;

import io.openmessaging.benchmark.measure.EpochClock;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What it costs to read the clock, which a message does three times. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ClockBenchmark {

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
