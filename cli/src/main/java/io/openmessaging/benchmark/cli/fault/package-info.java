/**
 * Does the faults of a workload, to the nodes of a broker that was started for the run or by the user's commands.
 */
@NullMarked
package io.openmessaging.benchmark.cli.fault;

import org.jspecify.annotations.NullMarked;
