/** Programs of this machine: where they are, and what they print. Knows neither brokers nor the harness. */
@NullMarked
package io.openmessaging.benchmark.program;

import org.jspecify.annotations.NullMarked;
