/** Tests of the worker's end of the network, on loopback. */
@NullMarked
package io.openmessaging.benchmark.worker.server;

import org.jspecify.annotations.NullMarked;
