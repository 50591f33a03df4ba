/**
 * What the phases of a run share: who does the work, who watches it, where it is written down and told. None of it knows
 * which phases there are.
 */
@NullMarked
package io.openmessaging.benchmark.coordinator.session;

import org.jspecify.annotations.NullMarked;
