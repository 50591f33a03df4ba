/**
 * The worker's end of the network: an HTTP server in front of a
 * {@link io.openmessaging.benchmark.worker.protocol.Worker}.
 *
 * <p>{@link io.openmessaging.benchmark.worker.server.WorkerServer} starts and stops it. {@code RequestHandler} reads
 * requests and writes answers without waiting; {@code WorkerLease} records which coordinator has the worker and for
 * how long; {@code CoordinatorSession} is one coordinator's use of it; {@code Steps} executes the numbered requests of
 * one run, one after the other.
 */
package io.openmessaging.benchmark.worker.server;
