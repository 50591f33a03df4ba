/**
 * Plans: which runs there are, in which order, and what has become of them.
 *
 * <p>{@link io.openmessaging.benchmark.plan.PlanReader} makes a {@link io.openmessaging.benchmark.plan.Plan} of a plan
 * file with everything that it names. {@link io.openmessaging.benchmark.plan.PlanFolder} is the folder of its results,
 * whose manifest keeps the plan's state, so that an interrupted plan can be gone on with. Nothing here runs anything.
 */
package io.openmessaging.benchmark.plan;
