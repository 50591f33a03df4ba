package io.openmessaging.benchmark.measure;

/** The latencies that are measured of each message. */
public enum Latency {
    /** From the actual send to the acknowledgement. */
    PUBLISH,
    /** From the intended send to the acknowledgement: includes what a late send hides. */
    SCHEDULED_PUBLISH,
    /** From the intended send to the actual one: how late the harness or a blocking client was. */
    SEND_DELAY,
    /** From the actual send to the arrival at a consumer. */
    END_TO_END,
    /** From the intended send to the arrival at a consumer. */
    SCHEDULED_END_TO_END
}
