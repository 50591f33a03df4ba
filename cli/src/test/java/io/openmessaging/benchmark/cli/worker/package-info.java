/** Tests of the command line of {@code bin/benchmark-worker}. */
@NullMarked
package io.openmessaging.benchmark.cli.worker;

import org.jspecify.annotations.NullMarked;
