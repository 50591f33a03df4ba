/** What brokers and clients of a run may use, as a driver file has it. */
@NullMarked
package io.openmessaging.benchmark.cli.limits;

import org.jspecify.annotations.NullMarked;
