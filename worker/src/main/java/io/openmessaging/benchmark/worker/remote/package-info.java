/**
 * The coordinator's end of the network: workers by their URLs.
 *
 * <p>{@link io.openmessaging.benchmark.worker.remote.Workers} claims and keeps them; each
 * {@link io.openmessaging.benchmark.worker.remote.ClaimedWorker} is a
 * {@link io.openmessaging.benchmark.worker.group.Member} in each run, and knows whether the worker still answers.
 */
package io.openmessaging.benchmark.worker.remote;
