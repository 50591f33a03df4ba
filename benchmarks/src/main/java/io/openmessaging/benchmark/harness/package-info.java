/**
 * {@code bin/bench-harness}, {@code bin/bench-drivers} and {@code bin/bench-workers}: what the harness costs, against bars.
 * Whatever is measured is measured through the commands and classes that a run uses.
 */
@NullMarked
package io.openmessaging.benchmark.harness;

import org.jspecify.annotations.NullMarked;
