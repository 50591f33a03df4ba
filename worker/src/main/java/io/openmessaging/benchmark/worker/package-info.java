/**
 * Does the work of a run: owns the driver's connection, the sending threads and all counters.
 *
 * <p>The coordinator only knows two interfaces: {@link io.openmessaging.benchmark.worker.protocol.Worker}, implemented
 * in this process by {@link io.openmessaging.benchmark.worker.LocalWorker}, and
 * {@link io.openmessaging.benchmark.worker.SystemControl}, through which it creates topics.
 */
package io.openmessaging.benchmark.worker;
