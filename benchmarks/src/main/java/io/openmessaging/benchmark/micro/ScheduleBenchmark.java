package io.openmessaging.benchmark.micro;

import io.openmessaging.benchmark.load.Schedule;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** What it costs to ask when a message is due and to advance to the next one. */
public class ScheduleBenchmark extends NsPerCall {

    /** Messages a second. */
    @Param({"Infinity", "1000000"})
    public double rateMsgPerSec;

    private Schedule schedule = Schedule.even(0, 1);

    /** A schedule at its beginning. */
    @Setup
    public void begin() {
        schedule = Schedule.even(0, rateMsgPerSec);
    }

    /** One message. */
    @Benchmark
    public long nextAndAdvance() {
        long dueNs = schedule.next();
        schedule.advance();
        return dueNs;
    }
}
