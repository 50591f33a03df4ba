/**
 * Drivers that were built for OpenMessaging Benchmark (OMB), unchanged. Their jars are bound by name and parameter
 * types when they are loaded, because their API has the same names as ours and exists in several generations.
 *
 * <p>{@link io.openmessaging.benchmark.omb.OmbFolder} loads classes from a folder with such jars,
 * {@link io.openmessaging.benchmark.omb.OmbApi} finds the methods of its generation, and
 * {@link io.openmessaging.benchmark.omb.OmbDriver} is the driver that the harness uses.
 */
package io.openmessaging.benchmark.omb;
