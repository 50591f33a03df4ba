/**
 * When a system took messages, and how fast: counts by the time at which messages were to be sent, in slots of 100 ms, and
 * acknowledgements by the time at which they came. Only runs with faults keep them; others run none of these classes.
 */
@NullMarked
package io.openmessaging.benchmark.availability;

import org.jspecify.annotations.NullMarked;
