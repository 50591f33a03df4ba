/** Tests of what both ends of the network agree on. */
@NullMarked
package io.openmessaging.benchmark.worker.transport;

import org.jspecify.annotations.NullMarked;
