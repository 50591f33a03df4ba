package io.openmessaging.benchmark.micro;

import io.openmessaging.benchmark.measure.Measurements;
import io.openmessaging.benchmark.measure.PublishStats;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What it costs to count and time a message: when it is sent, when it is acknowledged, when it arrives. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MeasurementsBenchmark {

    private final Latencies latencies = new Latencies();

    /** A clock for nothing: reading one has a benchmark of its own. */
    private final Measurements measurements = new Measurements(latencies::nextNs, 1);

    private final PublishStats publisher = measurements.newPublisher();

    /** A count and one latency. */
    @Benchmark
    public void sent() {
        publisher.sent(0, latencies.nextNs());
    }

    /** The thread's shard, a count and two latencies. */
    @Benchmark
    public void acknowledged() {
        measurements.acknowledged(0, 0);
    }

    /** The thread's shard, a count and two latencies. */
    @Benchmark
    public void received() {
        measurements.received(0, latencies.nextNs(), 0, 0);
    }
}
