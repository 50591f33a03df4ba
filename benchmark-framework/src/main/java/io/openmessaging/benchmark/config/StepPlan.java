package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A number of clients that grows during a run: {@code producerSteps} or {@code consumerSteps}.
 *
 * @param from number of clients in the first step, at least 1
 * @param to highest number; the last step may be below it, if no step reaches it exactly
 * @param by number of clients added with each step, 1 by default
 * @param every duration of a step
 */
public record StepPlan(
        int from,
        int to,

        @Default(value = "1", told = true) @Range(from = "1") @Nullable
        Integer by,

        @Shortened(least = "1s") @Range(from = "1s", to = "30d") @Nullable
        Duration every)
        implements Checked {

    private static final int MAX_STEPS = 10_000;

    /** Returns the number of clients added with each step. */
    public int increment() {
        return by == null ? 1 : by;
    }

    public Duration stepTime() {
        return every == null ? Duration.ZERO : every;
    }

    /** Returns the numbers of clients, step by step. */
    public List<Integer> counts() {
        return IntStream.iterate(from, count -> count <= to, count -> count + increment())
                .boxed()
                .toList();
    }

    /**
     * Returns the number of clients at the start of a run: that of the first step, or all if the number does not grow.
     */
    public static int first(@Nullable StepPlan steps, int all) {
        return steps == null ? all : steps.from();
    }

    /** Returns the highest number of clients that is reached. */
    public int highest() {
        return from + (to - from) / increment() * increment();
    }

    /** Returns the total duration of all steps; zero if the steps are invalid. */
    public Duration totalTime() {
        return isSound() ? stepTime().multipliedBy((to - from) / increment() + 1) : Duration.ZERO;
    }

    /** Returns whether the steps are valid. */
    boolean isSound() {
        return from >= 1 && to >= from && increment() >= 1 && (to - from) / increment() < MAX_STEPS;
    }

    @Override
    public void check(Problems problems) {
        problems.require(from >= 1, "from", "must be at least 1, the number of clients of the first step", from);
        problems.require(to >= from, "to", "must be at least from", to);
        problems.require(
                increment() < 1 || ((long) to - from) / increment() < MAX_STEPS,
                "by",
                "must lead from from to to in at most " + MAX_STEPS + " steps",
                increment());
        problems.require(every != null, "every", "the steps need a length, such as 2m", null);
    }
}
