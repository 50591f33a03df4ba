package io.openmessaging.benchmark.micro;

import io.openmessaging.benchmark.measure.Measurements;
import io.openmessaging.benchmark.measure.PublishStats;
import org.openjdk.jmh.annotations.Benchmark;

/** The cost of counting and timing a message: when it is sent, when it is acknowledged, when it arrives. */
public class MeasurementsBenchmark extends NsPerCall {

    private final Latencies latencies = new Latencies();

    /** A clock without cost: reading a real one has a benchmark of its own. */
    private final Measurements measurements = new Measurements(latencies::nextNs, 1);

    private final PublishStats publisher = measurements.newPublisher();

    /** Records a count and one latency. */
    @Benchmark
    public void sent() {
        publisher.sent(100, 0, latencies.nextNs());
    }

    /** Finds the thread's shard, and records a count and two latencies. */
    @Benchmark
    public void acknowledged() {
        measurements.acknowledged(0, 0);
    }

    /** Finds the thread's shard, and records a count and two latencies. */
    @Benchmark
    public void received() {
        measurements.received(0, latencies.nextNs(), 0, 0);
    }
}
