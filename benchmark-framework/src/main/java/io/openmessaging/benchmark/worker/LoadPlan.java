package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.config.KeyDistribution;
import java.util.List;

/**
 * What a worker's producers are to send.
 *
 * @param rateMsgPerSec of all producers of this worker together; infinity for as fast as the clients take the messages
 * @param messageCount after how many messages of this worker to stop, {@link Long#MAX_VALUE} for when told to
 * @param payloads the contents of messages, used in turn
 * @param keys how keys are chosen
 */
public record LoadPlan(double rateMsgPerSec, long messageCount, List<byte[]> payloads, KeyDistribution keys) {

    static final String THREAD_PREFIX = "producer-";

    /** How many threads of one worker send for a number of producers: as many, but no more than processors. */
    public static int sendingThreads(int producers) {
        return Math.min(producers, Runtime.getRuntime().availableProcessors());
    }

    /** Whether a thread of that name sends messages. */
    public static boolean isSendingThread(String threadName) {
        return threadName.startsWith(THREAD_PREFIX);
    }
}
