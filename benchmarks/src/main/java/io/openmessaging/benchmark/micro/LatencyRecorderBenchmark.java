package io.openmessaging.benchmark.micro;

import io.openmessaging.benchmark.measure.LatencyRecorder;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Recorder;
import org.HdrHistogram.SingleWriterRecorder;
import org.openjdk.jmh.annotations.Benchmark;

/** The cost of recording a latency, compared with HdrHistogram's two recorders of the same precision. */
public class LatencyRecorderBenchmark extends NsPerCall {

    private static final int SIGNIFICANT_DIGITS = 3;
    private static final long HIGHEST_NS = TimeUnit.MINUTES.toNanos(1);

    private final Latencies latencies = new Latencies();
    private final LatencyRecorder ours = new LatencyRecorder();
    private final SingleWriterRecorder singleWriter = new SingleWriterRecorder(HIGHEST_NS, SIGNIFICANT_DIGITS);
    private final Recorder anyWriter = new Recorder(HIGHEST_NS, SIGNIFICANT_DIGITS);

    /** Records with the recorder of a run. */
    @Benchmark
    public void latencyRecorder() {
        ours.record(latencies.nextNs());
    }

    /** Records with HdrHistogram's recorder for one writing thread. */
    @Benchmark
    public void hdrSingleWriter() {
        singleWriter.recordValue(latencies.nextNs());
    }

    /** Records with HdrHistogram's recorder for any number of writing threads. */
    @Benchmark
    public void hdrAnyWriter() {
        anyWriter.recordValue(latencies.nextNs());
    }

    /** Only reads the values, whose cost the three others include. */
    @Benchmark
    public long valueOnly() {
        return latencies.nextNs();
    }
}
