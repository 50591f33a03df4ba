package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.clock.Offset;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How far the clocks of the workers that send are from the clock of this one, which receives. A message carries times of
 * its sender's clock; with this they are moved to the receiver's when the message comes, so that every latency is right as
 * soon as it is recorded.
 *
 * <p>Concurrency: {@link #of} by any thread, with each message; {@link #tell} by one thread at a time, about once a second.
 */
public final class SenderClocks {

    /** Nothing is known yet: the clocks may be apart by any time. */
    private static final Offset NOT_TOLD = new Offset(0, Long.MAX_VALUE);

    private final int worker;
    private final IntUnaryOperator workerOfProducer;

    /** By worker, against this worker's clock. The array is replaced as a whole and never written to. */
    private volatile Offset[] ofWorkers;

    /** By worker, against the coordinator's clock, likewise. */
    private volatile long[] aheadOfCoordinatorNs;

    /**
     * Until {@link #tell} is called, the clocks are taken to show the same, and nothing proves that they do not.
     *
     * @param worker the index of the worker that receives
     * @param workers how many workers there are
     * @param workerOfProducer the index of the worker that has the producer with a number; asked with each message
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
     * How far all clocks are from the coordinator's, from now on.
     *
     * @param fromCoordinator in the order of the workers, the receiving one among them
     * @throws IllegalArgumentException if there are more or fewer than workers
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

    /** How much more the clock of a producer's worker shows than the coordinator's; 0 until {@link #tell} is called. */
    long aheadOfCoordinatorNs(int producer) {
        return aheadOfCoordinatorNs[workerOfProducer.applyAsInt(producer)];
    }

    private static long sumOfBoundsNs(long oneNs, long otherNs) {
        return oneNs > Long.MAX_VALUE - otherNs ? Long.MAX_VALUE : oneNs + otherNs;
    }

    /**
     * How much more the clock of a producer's worker shows than this worker's, with the bounds of both; null for a producer
     * of this worker, whose messages are timed by one clock.
     */
    @Nullable
    Offset of(int producer) {
        int sender = workerOfProducer.applyAsInt(producer);
        return sender == worker ? null : ofWorkers[sender];
    }
}
