package io.openmessaging.benchmark.measure;

/** The latencies that are measured for each message. */
public enum Latency {
    /** From the actual send to the acknowledgement. */
    PUBLISH("publish"),
    /** From the intended send to the acknowledgement: includes the delay that a late send hides. */
    SCHEDULED_PUBLISH("scheduledPublish"),
    /** From the intended send to the actual one: how late the harness or a blocking client was. */
    SEND_DELAY("sendDelay"),
    /** From the actual send to the arrival at a consumer. */
    END_TO_END("endToEnd"),
    /** From the intended send to the arrival at a consumer. */
    SCHEDULED_END_TO_END("scheduledEndToEnd");

    private final String label;

    Latency(String label) {
        this.label = label;
    }

    /** Returns whether it ends with the arrival at a consumer, by the clock of the consumer's worker. */
    public boolean isEndToEnd() {
        return this == END_TO_END || this == SCHEDULED_END_TO_END;
    }

    /** Returns the name in results. */
    public String label() {
        return label;
    }
}
