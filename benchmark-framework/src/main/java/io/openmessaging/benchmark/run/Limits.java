package io.openmessaging.benchmark.run;

import java.time.Duration;

/**
 * How long a run waits for what, and how finely it looks. Every wait of a run has one of these limits.
 *
 * @param controlCall for one control call to the system: creating topics, clients and the like
 * @param readiness until every partition delivers to every subscription
 * @param quiet for messages that are on their way: given up once nothing has moved for this long
 * @param drain until all messages have arrived after the load has ended, even if they still do
 * @param backlog for a backlog to grow, or to shrink, to a new extreme
 * @param tick between two looks at the totals
 */
public record Limits(
        Duration controlCall, Duration readiness, Duration quiet, Duration drain, Duration backlog, Duration tick) {

    /** The limits of a real run. */
    public static Limits standard() {
        return new Limits(
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                Duration.ofSeconds(10),
                Duration.ofSeconds(120),
                Duration.ofMinutes(5),
                Duration.ofSeconds(1));
    }
}
