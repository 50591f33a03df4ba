package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.clock.Offset;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Offsets of the sending workers' clocks from the clock of this worker, which receives. A message carries times of its
 * sender's clock; they are converted to the receiver's clock on arrival, so that every latency is correct when it is
 * recorded.
 *
 * <p>Concurrency: {@link #of} by any thread, with each message; {@link #tell} by one thread at a time, about once a
 * second.
 */
public final class SenderClocks {

    /** Offset before any report: the clocks may differ by any amount. */
    private static final Offset NOT_TOLD = new Offset(0, Long.MAX_VALUE);

    private final int worker;
    private final IntUnaryOperator workerOfProducer;

    /** By worker, relative to this worker's clock. The array is replaced as a whole and never written to. */
    private volatile Offset[] ofWorkers;

    /** By worker, relative to the coordinator's clock; also replaced as a whole. */
    private volatile long[] aheadOfCoordinatorNs;

    /**
     * Creates the offsets. Until {@link #tell} is called, all clocks are assumed to be equal, with an unlimited bound.
     *
     * @param worker the index of the receiving worker
     * @param workers number of workers
     * @param workerOfProducer maps a producer number to the index of its worker; called with each message
     */
    public SenderClocks(int worker, int workers, IntUnaryOperator workerOfProducer) {
        this.worker = worker;
        this.workerOfProducer = workerOfProducer;
        Offset[] unknown = new Offset[workers];
        Arrays.fill(unknown, NOT_TOLD);
        this.ofWorkers = unknown;
        this.aheadOfCoordinatorNs = new long[workers];
    }

    /**
     * Sets the offsets of all clocks from the coordinator's clock, from now on.
     *
     * @param fromCoordinator in the order of the workers, including the receiving one
     * @throws IllegalArgumentException if there are more or fewer entries than workers
     */
    public void tell(List<Offset> fromCoordinator) {
        if (fromCoordinator.size() != ofWorkers.length) {
            throw new IllegalArgumentException(
                    "got clocks of %d workers, but the run has %d".formatted(fromCoordinator.size(), ofWorkers.length));
        }
        Offset own = fromCoordinator.get(worker);
        ofWorkers = fromCoordinator.stream()
                .map(other ->
                        new Offset(other.aheadNs() - own.aheadNs(), sumOfBoundsNs(other.boundNs(), own.boundNs())))
                .toArray(Offset[]::new);
        aheadOfCoordinatorNs =
                fromCoordinator.stream().mapToLong(Offset::aheadNs).toArray();
    }

    /**
     * Returns how far the clock of a producer's worker is ahead of the coordinator's; 0 until {@link #tell} is called.
     */
    long aheadOfCoordinatorNs(int producer) {
        return aheadOfCoordinatorNs[workerOfProducer.applyAsInt(producer)];
    }

    private static long sumOfBoundsNs(long oneNs, long otherNs) {
        return oneNs > Long.MAX_VALUE - otherNs ? Long.MAX_VALUE : oneNs + otherNs;
    }

    /**
     * Returns the offset of the clock of a producer's worker from this worker's clock, with the sum of both bounds;
     * null for a producer of this worker, whose messages are timed by one clock.
     */
    @Nullable
    Offset of(int producer) {
        int sender = workerOfProducer.applyAsInt(producer);
        return sender == worker ? null : ofWorkers[sender];
    }
}
