package io.openmessaging.benchmark.driver.redis.link;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the pipelines of one producer have in common.
 *
 * @param name of the threads that read replies
 * @param depth how many commands may be under way
 * @param holdsBack whether commands are written only when {@link CommandPipeline#flush} is called or the pipeline is full
 * @param timeout how long Redis may take for an answer
 * @param after what commands have to wait for before they are acknowledged; null for nothing
 */
public record PipelineSpec(
        String name,
        int depth,
        boolean holdsBack,
        Duration timeout,
        @Nullable AcknowledgeAfter after) {

    /** How long the answer to a command may take, those of the questions behind it included. */
    Duration answerLimit() {
        return after == null ? timeout : timeout.plus(after.timeout().multipliedBy(2));
    }
}
