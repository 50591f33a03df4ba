/**
 * What the starters of all brokers share: free ports, jars fetched on first use, guarded processes, waiting for
 * readiness with a limit, and an end that leaves nothing behind.
 */
@NullMarked
package io.openmessaging.benchmark.broker.launch;

import org.jspecify.annotations.NullMarked;
