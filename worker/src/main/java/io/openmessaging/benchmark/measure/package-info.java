/**
 * Recorders and counters, and the snapshots taken of them.
 *
 * <p>Hot path: {@link io.openmessaging.benchmark.measure.LatencyRecorder} and the counters of a {@link
 * io.openmessaging.benchmark.measure.Shards shard} each have one writing thread, which never waits and never
 * allocates. Counts only grow. Cold path: the worker's sampler reads them while they are being written and subtracts
 * its previous reading; the difference is a period.
 */
package io.openmessaging.benchmark.measure;
