/**
 * The resources that a run uses: processors, memory, garbage collection, disk and network of broker, harness and host.
 *
 * <p>{@link io.openmessaging.benchmark.resources.ResourceMonitor} reads {@link
 * io.openmessaging.benchmark.resources.ResourceProbe}s on a thread of its own, adds up the readings, and returns the
 * usage of a period whenever the period of the rates ends, so that both are aligned.
 */
package io.openmessaging.benchmark.resources;
