package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.load.ArrivalProcess;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.util.List;

/**
 * Everything that the sending threads of one load need to know.
 *
 * @param load start, rates and number of messages
 * @param arrivals distribution over time of the messages of a rate
 * @param payloads contents of messages, each sent equally often
 * @param keys choice of keys
 * @param seed seed of the random choices of all workers: the same seed gives the same load
 * @param worker position of this worker among those that send the load, from 0
 * @param workers number of workers that send the load
 */
record LoadPlan(
        Worker.Start load,
        ArrivalProcess arrivals,
        List<byte[]> payloads,
        KeyDistribution keys,
        Seed seed,
        int worker,
        int workers) {}
