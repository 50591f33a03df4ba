/** The other processes of {@code bin/bench-workers}: many workers in one process, and what the merge of their periods costs. */
@NullMarked
package io.openmessaging.benchmark.harness.workers;

import org.jspecify.annotations.NullMarked;
