package io.openmessaging.benchmark.load;

/**
 * The position of a sending thread among the threads of its worker and of all workers that send one load. For a single
 * worker, results are as if no other workers existed.
 *
 * @param worker the index of its worker
 * @param workers number of workers that send the load, each about as much
 * @param thread its index in its worker
 * @param threads number of threads of its worker; other workers may have more or fewer
 */
public record ThreadPosition(int worker, int workers, int thread, int threads) {

    /** A number that is unique among all threads of all workers. */
    private int number() {
        return thread * workers + worker;
    }

    /**
     * Returns the seed of the thread's random choices.
     *
     * @param ofLoad the seed of the load, equal for all threads of all workers
     */
    public Seed seed(Seed ofLoad) {
        return ofLoad.part(number());
    }

    /** Returns the index of the first item that belongs to this thread, if threads share the items evenly. */
    public int first(int count) {
        return (int) ((long) count * thread / threads);
    }

    /** Returns the index after the last item that belongs to this thread. */
    public int end(int count) {
        return (int) ((long) count * (thread + 1) / threads);
    }

    /**
     * Returns how many of a load's messages some of its producers send. The parts are integers and add up to exactly
     * the requested number of messages.
     *
     * @param first the first of these producers
     * @param end the index after the last of them
     * @param messages number of messages of all producers; {@link Long#MAX_VALUE} for no limit, which is then the
     *     result
     * @param producers number of producers
     */
    public static long messagesOf(int first, int end, long messages, int producers) {
        return messages == Long.MAX_VALUE
                ? messages
                : messagesBefore(end, messages, producers) - messagesBefore(first, messages, producers);
    }

    private static long messagesBefore(int end, long messages, int producers) {
        return end == 0 ? 0 : messages / producers * end + messages % producers * end / producers;
    }

    /**
     * Returns the delay of the thread's start against the start of the load. Threads take turns, and workers within
     * each turn, so that the messages of all of them are sent at equal distances and not in bursts.
     *
     * @param rateMsgPerSec the rate of the worker
     */
    long offsetNs(double rateMsgPerSec) {
        boolean paced = rateMsgPerSec > 0 && rateMsgPerSec != Double.POSITIVE_INFINITY;
        return paced ? (long) (number() * 1e9 / (rateMsgPerSec * workers)) : 0;
    }
}
