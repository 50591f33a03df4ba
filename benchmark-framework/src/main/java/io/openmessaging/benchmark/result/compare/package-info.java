/** Reads result files again to compare runs: the figures that they are compared by, what tells runs apart, the table of a folder. */
@NullMarked
package io.openmessaging.benchmark.result.compare;

import org.jspecify.annotations.NullMarked;
