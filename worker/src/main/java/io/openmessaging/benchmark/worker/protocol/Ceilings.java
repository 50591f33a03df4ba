package io.openmessaging.benchmark.worker.protocol;

/**
 * The limits of a process on its machine with a driver that costs nothing, as measured by {@code bin/benchmark
 * calibrate}.
 *
 * @param oneThreadMsgPerSec highest rate that one sending thread sustained
 * @param threads number of threads tried
 * @param speedUp rate of all these threads together as a multiple of the rate of one, measured without a schedule
 */
public record Ceilings(double oneThreadMsgPerSec, int threads, double speedUp) {

    /**
     * Returns the ceiling of several sending threads; assumes linear growth between one thread and all that were
     * tried.
     */
    public double msgPerSec(int sendingThreads) {
        if (threads == 1 || sendingThreads <= 1) {
            return oneThreadMsgPerSec;
        }
        double part = (double) (Math.min(sendingThreads, threads) - 1) / (threads - 1);
        return oneThreadMsgPerSec * (1 + (speedUp - 1) * part);
    }
}
