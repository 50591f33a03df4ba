package io.openmessaging.benchmark.run;

import io.openmessaging.benchmark.config.Workload;
import java.time.Duration;

/**
 * How long a run waits for what, and how finely it looks. Every wait of a run has one of these limits.
 *
 * @param controlCall for one control call to the system: creating topics, clients and the like
 * @param readiness until every partition delivers to every subscription
 * @param quiet for messages that are on their way: given up once nothing has moved for this long. The same for a fresh
 *     consumer that looks for what is missing
 * @param drain until all messages have arrived after the load has ended, even if they still do; again for a fresh consumer
 * @param backlog for a backlog to grow, or to shrink, to a new extreme
 * @param tick between two looks at the totals
 */
public record RunTimeouts(
        Duration controlCall, Duration readiness, Duration quiet, Duration drain, Duration backlog, Duration tick) {

    /**
     * What a system may take for each partition, producer and consumer: RabbitMQ's quorum queues took 45 ms a consumer on
     * two processors.
     */
    private static final Duration EACH = Duration.ofMillis(100);

    private static final Duration LONGEST_CALL = Duration.ofMinutes(30);

    /**
     * The same with more time for control calls and readiness, the more there is to create.
     *
     * @param load what is created
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
