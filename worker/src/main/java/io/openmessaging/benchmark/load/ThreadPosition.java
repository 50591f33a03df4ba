package io.openmessaging.benchmark.load;

/**
 * The place of a sending thread among those of its worker and of all workers that send one load. What follows from it is
 * the same for one worker as if there were no others.
 *
 * @param worker the index of its worker
 * @param workers how many send the load, each about as much
 * @param thread its index in its worker
 * @param threads how many its worker has; other workers may have more or fewer
 */
public record ThreadPosition(int worker, int workers, int thread, int threads) {

    private static final double NS_PER_SECOND = 1e9;

    /** A number that no other thread of any worker has. */
    private int number() {
        return thread * workers + worker;
    }

    /**
     * The thread's part of what is chosen at random.
     *
     * @param ofLoad the same for all threads of all workers
     */
    public Seed seed(Seed ofLoad) {
        return ofLoad.part(number());
    }

    /** The index of the first of so many things that belongs to this thread, where threads share them evenly. */
    public int first(int count) {
        return (int) ((long) count * thread / threads);
    }

    /** The index behind the last of them. */
    public int end(int count) {
        return (int) ((long) count * (thread + 1) / threads);
    }

    /**
     * What some of the producers of a load send of a number of messages. Whole numbers: the parts add up to exactly the
     * messages asked for.
     *
     * @param first of these producers
     * @param end behind the last of them
     * @param messages of all producers; {@link Long#MAX_VALUE}, of which everybody's part is the same, for no limit
     * @param producers how many there are
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
     * By how much the thread begins later than the load. Threads take turns, and workers within each turn, so that the
     * messages of all of them together come at even distances and not in bursts.
     *
     * @param rateMsgPerSec of the worker
     */
    long offsetNs(double rateMsgPerSec) {
        boolean paced = rateMsgPerSec > 0 && rateMsgPerSec != Double.POSITIVE_INFINITY;
        return paced ? (long) (number() * NS_PER_SECOND / (rateMsgPerSec * workers)) : 0;
    }
}
