/** Runs inside the JVM of a broker's node, beside the broker: needs nothing but the JDK. */
@NullMarked
package io.openmessaging.benchmark.broker.node;

import org.jspecify.annotations.NullMarked;
