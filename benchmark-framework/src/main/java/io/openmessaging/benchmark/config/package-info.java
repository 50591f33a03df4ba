/**
 * The files that a user writes: workloads, plans, workers files; {@code config.driver} has driver files,
 * {@code config.payload} the users' payloads.
 *
 * <p>The components of the records are the keys, and are annotated with the rules for each: a new key is a new
 * component. See {@link io.openmessaging.benchmark.binding}.
 *
 * <p>This package is a leaf: it does not depend on how a run works.
 */
package io.openmessaging.benchmark.config;
