package io.openmessaging.benchmark.result;

import io.openmessaging.benchmark.config.Workload;

/** Describes the message sizes of a workload in words. */
public final class MessageSizes {

    private MessageSizes() {}

    /**
     * Returns part of a sentence: {@code messages of 1,024 bytes}, or the range, the mean and the number of records.
     */
    public static String of(Workload workload) {
        int smallest = workload.smallestMessageBytes();
        int largest = workload.largestMessageBytes();
        String records =
                workload.recordCount() == 0 ? "" : " (" + Quantities.count(workload.recordCount()) + " records)";
        String sizes = smallest == largest
                ? Quantities.count(largest) + " bytes"
                : Quantities.count(smallest) + " to " + Quantities.count(largest) + " bytes, "
                        + Quantities.number(workload.meanMessageBytes()) + " on average";
        return "messages of " + sizes + records;
    }
}
