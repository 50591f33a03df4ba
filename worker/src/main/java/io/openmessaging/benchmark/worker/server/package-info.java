/**
 * The worker's end of the network: an HTTP server in front of a {@link io.openmessaging.benchmark.worker.protocol.Worker}.
 *
 * <p>{@link io.openmessaging.benchmark.worker.server.WorkerServer} starts and ends it. {@code RequestHandler} reads requests and
 * writes answers and waits for nobody; {@code WorkerLease} knows who has the worker, and for how long; {@code CoordinatorSession} is what one
 * coordinator has of it; {@code Steps} carries out the numbered requests of one run, one after the other.
 */
package io.openmessaging.benchmark.worker.server;
