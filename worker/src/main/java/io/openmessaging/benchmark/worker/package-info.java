/**
 * Does the work of a run: owns the driver's connection, the sending threads and everything that is counted.
 *
 * <p>The coordinator only knows {@link io.openmessaging.benchmark.worker.Worker}; what passes through that interface is
 * plain data. {@link io.openmessaging.benchmark.worker.LocalWorker} works in this process.
 */
@NullMarked
package io.openmessaging.benchmark.worker;

import org.jspecify.annotations.NullMarked;
