package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.load.ArrivalProcess;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.MessageProperties;
import io.openmessaging.benchmark.load.PayloadSpec;
import org.jspecify.annotations.Nullable;

/**
 * What is sent.
 *
 * @param layout of the headers
 * @param payloads the contents
 * @param keys how keys are chosen
 * @param arrivals how the messages of a rate are spread over time
 * @param properties the system's own headers; null for none
 */
public record MessagePlan(
        MessageHeader.Layout layout,
        PayloadSpec payloads,
        KeyDistribution keys,
        ArrivalProcess arrivals,
        @Nullable MessageProperties properties) {

    /** Without headers of the system. */
    public MessagePlan(
            MessageHeader.Layout layout, PayloadSpec payloads, KeyDistribution keys, ArrivalProcess arrivals) {
        this(layout, payloads, keys, arrivals, null);
    }
}
