/**
 * What a run costs: processors, memory, garbage collection, disk and network of broker, harness and host.
 *
 * <p>{@link io.openmessaging.benchmark.resources.ResourceMonitor} reads {@link
 * io.openmessaging.benchmark.resources.ResourceProbe}s on a thread of its own, adds the readings up and hands out the use
 * of a period whenever the rates' period ends, so that both are aligned.
 */
package io.openmessaging.benchmark.resources;
