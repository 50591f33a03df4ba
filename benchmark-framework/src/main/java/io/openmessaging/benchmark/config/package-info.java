/**
 * What a user writes: workloads, plans, workers files; {@code config.driver} has driver files, {@code config.payload} the
 * users' payloads.
 *
 * <p>The records' components are the keys, and are annotated with what holds for each: a new key is a new component. See
 * {@link io.openmessaging.benchmark.binding}.
 *
 * <p>A leaf: nothing here knows how a run works.
 */
package io.openmessaging.benchmark.config;
