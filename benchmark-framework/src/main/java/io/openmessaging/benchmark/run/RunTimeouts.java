package io.openmessaging.benchmark.run;

import io.openmessaging.benchmark.config.Workload;
import java.time.Duration;

/**
 * Time limits of a run's waits, and the interval between readings. Every wait of a run has one of these limits.
 *
 * @param controlCall limit of one control call to the system: creating topics, clients and the like
 * @param readiness limit until every partition delivers to every subscription
 * @param quiet limit for messages that are on their way: the run gives up once nothing has moved for this long. It
 *     also applies to a fresh consumer that looks for missing messages
 * @param drain limit until all messages have arrived after the load has ended, even if some still arrive; again for a
 *     fresh consumer
 * @param backlog limit for a backlog to grow, or to shrink, to a new extreme
 * @param tick interval between two readings of the totals
 */
public record RunTimeouts(
        Duration controlCall, Duration readiness, Duration quiet, Duration drain, Duration backlog, Duration tick) {

    /**
     * Time that a system may take for each partition, producer and consumer: RabbitMQ's quorum queues took 45 ms a
     * consumer on two processors.
     */
    private static final Duration EACH = Duration.ofMillis(100);

    private static final Duration LONGEST_CALL = Duration.ofMinutes(30);

    /**
     * Returns a copy with more time for control calls and readiness, the more there is to create.
     *
     * @param load workload whose clients and partitions are created
     */
    public RunTimeouts grownFor(Workload load) {
        long consumers = (long) load.subscriptionsPerTopic() * load.consumerPerSubscription();
        long created = load.topics() * (load.partitionsPerTopic() + load.producersPerTopic() + consumers);
        Duration more = EACH.multipliedBy(created);
        return new RunTimeouts(grown(controlCall, more), grown(readiness, more), quiet, drain, backlog, tick);
    }

    private static Duration grown(Duration limit, Duration more) {
        Duration sum = limit.plus(more);
        return sum.compareTo(LONGEST_CALL) > 0 ? LONGEST_CALL : sum;
    }

    /** The limits of a real run with next to nothing to create. */
    public static RunTimeouts standard() {
        return new RunTimeouts(
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                Duration.ofSeconds(10),
                Duration.ofSeconds(120),
                Duration.ofMinutes(5),
                Duration.ofSeconds(1));
    }
}
