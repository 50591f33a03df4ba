/**
 * The protocol between coordinator and worker: {@link io.openmessaging.benchmark.worker.protocol.Worker} defines all
 * of it with plain records. {@link io.openmessaging.benchmark.worker.protocol.Call} and
 * {@link io.openmessaging.benchmark.worker.protocol.WorkerEndpoint} are its two ends where messages travel as bytes.
 */
package io.openmessaging.benchmark.worker.protocol;
