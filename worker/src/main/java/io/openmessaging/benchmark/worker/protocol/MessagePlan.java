package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.load.ArrivalProcess;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.MessageProperties;
import io.openmessaging.benchmark.load.PayloadSpec;
import org.jspecify.annotations.Nullable;

/**
 * The messages that producers send.
 *
 * @param layout layout of the headers
 * @param payloads contents of the messages
 * @param keys choice of keys
 * @param arrivals distribution over time of the messages of a rate
 * @param properties the system's own headers; null for none
 */
public record MessagePlan(
        MessageHeader.Layout layout,
        PayloadSpec payloads,
        KeyDistribution keys,
        ArrivalProcess arrivals,
        @Nullable MessageProperties properties) {

    /** A plan without headers of the system. */
    public MessagePlan(
            MessageHeader.Layout layout, PayloadSpec payloads, KeyDistribution keys, ArrivalProcess arrivals) {
        this(layout, payloads, keys, arrivals, null);
    }
}
