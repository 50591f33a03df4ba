/** Starts and stops real brokers on this machine, each as processes of its own. */
@NullMarked
package io.openmessaging.benchmark.broker;

import org.jspecify.annotations.NullMarked;
