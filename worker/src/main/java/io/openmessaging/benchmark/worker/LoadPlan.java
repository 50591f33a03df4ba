package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.load.Arrivals;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.load.Seed;
import java.util.List;

/**
 * What the sending threads of one load do.
 *
 * @param atNs when its schedule begins, epoch nanoseconds; 0 for as soon as the threads are ready
 * @param rates of all producers of this worker together, from then on
 * @param arrivals how the messages of a rate are spread over time
 * @param messageCount after how many messages of this worker to stop, {@link Long#MAX_VALUE} for when told to
 * @param payloads the contents of messages, each sent equally often
 * @param keys how keys are chosen
 * @param seed of all random choices, of all workers: the same one gives the same load
 * @param worker the place of this worker among those that send the load, from 0
 * @param workers how many do
 */
record LoadPlan(
        long atNs,
        RateProfile rates,
        Arrivals arrivals,
        long messageCount,
        List<byte[]> payloads,
        KeyDistribution keys,
        Seed seed,
        int worker,
        int workers) {}
