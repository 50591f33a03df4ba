package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.load.ArrivalProcess;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.util.List;

/**
 * What the sending threads of one load do.
 *
 * @param load when it begins, at which rates, and of how many messages
 * @param arrivals how the messages of a rate are spread over time
 * @param payloads the contents of messages, each sent equally often
 * @param keys how keys are chosen
 * @param seed of all random choices, of all workers: the same one gives the same load
 * @param worker the place of this worker among those that send the load, from 0
 * @param workers how many do
 */
record LoadPlan(
        Worker.Start load,
        ArrivalProcess arrivals,
        List<byte[]> payloads,
        KeyDistribution keys,
        Seed seed,
        int worker,
        int workers) {}
