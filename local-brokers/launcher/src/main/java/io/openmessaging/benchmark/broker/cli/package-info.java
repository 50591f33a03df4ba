/** {@code bin/broker}: brokers started and stopped by hand. The only place that ends the JVM. */
@NullMarked
package io.openmessaging.benchmark.broker.cli;

import org.jspecify.annotations.NullMarked;
