/**
 * Does the work of a run: owns the driver's connection, the sending threads and everything that is counted.
 *
 * <p>The coordinator only knows {@link io.openmessaging.benchmark.worker.protocol.Worker}, which {@link
 * io.openmessaging.benchmark.worker.LocalWorker} is in this process, and {@link
 * io.openmessaging.benchmark.worker.SystemControl}, by which it creates topics.
 */
package io.openmessaging.benchmark.worker;
