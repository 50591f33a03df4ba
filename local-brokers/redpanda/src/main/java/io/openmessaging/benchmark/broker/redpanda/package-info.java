/** Redpanda as a local broker, in containers. */
@NullMarked
package io.openmessaging.benchmark.broker.redpanda;

import org.jspecify.annotations.NullMarked;
