package io.openmessaging.benchmark.worker.protocol;

/**
 * What a process is capable of on its machine with a driver that costs nothing, as {@code bin/benchmark calibrate} has found
 * out there.
 *
 * @param oneThreadMsgPerSec the highest rate of one sending thread that held
 * @param threads how many threads were tried
 * @param speedUp how many times as fast all of them were together, without a schedule
 */
public record Ceilings(double oneThreadMsgPerSec, int threads, double speedUp) {

    /** The ceiling of several sending threads. Between one thread and all that were tried it is taken to grow evenly. */
    public double msgPerSec(int sendingThreads) {
        if (threads == 1 || sendingThreads <= 1) {
            return oneThreadMsgPerSec;
        }
        double part = (double) (Math.min(sendingThreads, threads) - 1) / (threads - 1);
        return oneThreadMsgPerSec * (1 + (speedUp - 1) * part);
    }
}
