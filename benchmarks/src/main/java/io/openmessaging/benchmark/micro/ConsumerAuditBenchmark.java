package io.openmessaging.benchmark.micro;

import io.openmessaging.benchmark.audit.ConsumerAudit;
import io.openmessaging.benchmark.audit.SubscriptionAudit;
import org.openjdk.jmh.annotations.Benchmark;

/** The cost of recording a received message: in order, alternating between two partitions, and swapped. */
public class ConsumerAuditBenchmark extends NsPerCall {

    /** Number of consecutive messages of a partition; a power of two. */
    private static final int BATCH = 128;

    private static final int BATCH_BITS = 7;

    private final ConsumerAudit onePartition = new ConsumerAudit(new SubscriptionAudit("one", 0), 0, 1, 1);
    private final ConsumerAudit twoPartitions = new ConsumerAudit(new SubscriptionAudit("two", 0), 0, 1, 2);
    private long index;

    /** Records messages in the order in which they were sent. */
    @Benchmark
    public void inOrder() {
        onePartition.note(0, index++, 0);
    }

    /**
     * Records batches of two partitions in turn, as a client fetches them: even numbers are in one partition, odd ones
     * in the other.
     */
    @Benchmark
    public void twoPartitionsInBatches() {
        long i = index++;
        int partition = (int) (i >>> BATCH_BITS) & 1;
        long pairOfBatches = i >>> (BATCH_BITS + 1);
        long within = i & BATCH - 1;
        twoPartitions.note(0, (pairOfBatches << (BATCH_BITS + 1)) + 2 * within + partition, partition);
    }

    /** Records each pair of messages in reverse order. */
    @Benchmark
    public void swapped() {
        onePartition.note(0, index++ ^ 1, 0);
    }
}
