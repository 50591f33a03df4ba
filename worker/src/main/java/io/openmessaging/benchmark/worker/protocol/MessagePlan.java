package io.openmessaging.benchmark.worker.protocol;

import io.openmessaging.benchmark.load.Arrivals;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.PayloadSpec;

/**
 * What is sent.
 *
 * @param layout of the headers
 * @param payloads the contents
 * @param keys how keys are chosen
 * @param arrivals how the messages of a rate are spread over time
 */
public record MessagePlan(MessageHeader.Layout layout, PayloadSpec payloads, KeyDistribution keys, Arrivals arrivals) {}
