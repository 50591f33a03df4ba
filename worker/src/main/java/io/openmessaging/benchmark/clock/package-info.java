/**
 * How far the clocks of workers are from the coordinator's, as intervals that are proven by probes: nothing is assumed but
 * that no message arrives before it is sent, and how fast a clock can drift.
 */
@NullMarked
package io.openmessaging.benchmark.clock;

import org.jspecify.annotations.NullMarked;
