/**
 * Plans: the runs, their order and their state.
 *
 * <p>{@link io.openmessaging.benchmark.plan.PlanReader} creates a {@link io.openmessaging.benchmark.plan.Plan} from a
 * plan file and everything that it names. {@link io.openmessaging.benchmark.plan.PlanFolder} is the folder of its
 * results, whose manifest keeps the plan's state, so that an interrupted plan can be resumed. Nothing here runs
 * anything.
 */
package io.openmessaging.benchmark.plan;
