package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.load.Arrivals;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.load.Seed;
import java.util.List;

/**
 * What a worker's producers are to send.
 *
 * @param rates of all producers of this worker together, from the start of the load on
 * @param arrivals how the messages of a rate are spread over time
 * @param messageCount after how many messages of this worker to stop, {@link Long#MAX_VALUE} for when told to
 * @param payloads the contents of messages, each sent equally often
 * @param keys how keys are chosen
 * @param seed of all random choices: the same one gives the same load
 */
public record LoadPlan(
        RateProfile rates,
        Arrivals arrivals,
        long messageCount,
        List<byte[]> payloads,
        KeyDistribution keys,
        Seed seed) {

    static final String THREAD_PREFIX = "producer-";

    /** A load at even distances, at a rate that does not change: infinity for as fast as the clients take it. */
    public LoadPlan(double rateMsgPerSec, long messageCount, List<byte[]> payloads, KeyDistribution keys) {
        this(RateProfile.steady(rateMsgPerSec), Arrivals.CONSTANT, messageCount, payloads, keys, new Seed(0));
    }

    /** How many threads of one worker send for a number of producers: as many, but no more than processors. */
    public static int sendingThreads(int producers) {
        return Math.min(producers, Runtime.getRuntime().availableProcessors());
    }

    /** Whether a thread of that name sends messages. */
    public static boolean isSendingThread(String threadName) {
        return threadName.startsWith(THREAD_PREFIX);
    }
}
