/** The workers that an invocation of {@code bin/benchmark} uses: which are asked for, where they are, and the processes of those that it starts itself. */
@NullMarked
package io.openmessaging.benchmark.fleet;

import org.jspecify.annotations.NullMarked;
