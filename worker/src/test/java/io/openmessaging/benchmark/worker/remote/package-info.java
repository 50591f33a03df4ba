/** Tests of workers that are reached by the network, on loopback. */
@NullMarked
package io.openmessaging.benchmark.worker.remote;

import org.jspecify.annotations.NullMarked;
