package io.openmessaging.benchmark.micro;

import io.openmessaging.benchmark.load.Schedule;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** The cost of reading when a message is due and of advancing to the next one. */
public class ScheduleBenchmark extends NsPerCall {

    /** Rate, messages per second. */
    @Param({"Infinity", "1000000"})
    public double rateMsgPerSec;

    private Schedule schedule = Schedule.even(0, 1);

    /** Creates a schedule at its start. */
    @Setup
    public void begin() {
        schedule = Schedule.even(0, rateMsgPerSec);
    }

    /** Reads when a message is due, and advances to the next one. */
    @Benchmark
    public long nextAndAdvance() {
        long dueNs = schedule.next();
        schedule.advance();
        return dueNs;
    }
}
