package io.openmessaging.benchmark.driver.redis.link;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings shared by the pipelines of one producer.
 *
 * @param name name of the threads that read replies
 * @param depth largest number of commands in flight
 * @param holdsBack true if commands are written only when {@link CommandPipeline#flush} is called or the pipeline is
 *     full
 * @param timeout time that Redis may take for a reply
 * @param after conditions for acknowledging commands; null for none
 */
public record PipelineSpec(
        String name,
        int depth,
        boolean holdsBack,
        Duration timeout,
        @Nullable AcknowledgeAfter after) {

    /** Returns the time that the reply to a command may take, including those to the questions after it. */
    Duration answerLimit() {
        return after == null ? timeout : timeout.plus(after.timeout().multipliedBy(2));
    }
}
