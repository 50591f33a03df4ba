/**
 * Recorders and counters, and the snapshots taken of them.
 *
 * <p>Hot side: {@link io.openmessaging.benchmark.measure.LatencyRecorder} and the counters of a {@link
 * io.openmessaging.benchmark.measure.Shards shard} each have one writing thread, which never waits and never allocates.
 * They only ever count up. Cold side: the worker's sampler reads them while they are being written and takes the
 * difference from what it read before; that difference is a period.
 */
package io.openmessaging.benchmark.measure;
