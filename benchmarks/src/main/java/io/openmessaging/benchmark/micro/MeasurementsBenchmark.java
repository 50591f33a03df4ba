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

    /** A count and one latency. */
    @Benchmark
    public void sent() {
        publisher.sent(100, 0, latencies.nextNs());
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
