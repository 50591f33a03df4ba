/** Starts Apache Artemis, the embedded server in a process of its own. */
@NullMarked
package io.openmessaging.benchmark.broker.artemis;

import org.jspecify.annotations.NullMarked;
