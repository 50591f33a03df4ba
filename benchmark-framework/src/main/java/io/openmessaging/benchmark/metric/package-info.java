/**
 * The table of the figures that runs have, {@code metrics.yaml}, which the charts read too: names, units, and where they are in a
 * result file. Bounds in workloads, result files, the console and comparisons take them from here.
 */
@NullMarked
package io.openmessaging.benchmark.metric;

import org.jspecify.annotations.NullMarked;
