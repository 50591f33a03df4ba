/**
 * The coordinator's end of the network: workers by their URLs.
 *
 * <p>{@link io.openmessaging.benchmark.worker.remote.Workers} claims and keeps them; each
 * {@link io.openmessaging.benchmark.worker.remote.ClaimedWorker} has an
 * {@link io.openmessaging.benchmark.worker.protocol.Exchange} for each run, and knows whether the worker still
 * answers.
 */
package io.openmessaging.benchmark.worker.remote;
