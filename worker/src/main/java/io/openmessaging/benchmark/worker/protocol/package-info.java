/**
 * What coordinator and worker say to each other: {@link io.openmessaging.benchmark.worker.protocol.Worker} is the whole of
 * it, as plain records. {@link io.openmessaging.benchmark.worker.protocol.RemoteWorker} and {@link
 * io.openmessaging.benchmark.worker.protocol.WorkerEndpoint} are the two ends of it where bytes are in between.
 */
package io.openmessaging.benchmark.worker.protocol;
