/**
 * Which rates to try to find the highest one that is sustained: {@link io.openmessaging.benchmark.search.RateSearch}, for a run's
 * search and for a calibration. Pure: others try the rates and say what became of them.
 */
@NullMarked
package io.openmessaging.benchmark.search;

import org.jspecify.annotations.NullMarked;
